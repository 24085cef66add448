package dev.agentloop.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.agentloop.control.Cancellation;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DefinitionsTest {
    private final SearchDeadline deadline =
            new SearchDeadline(Duration.ofMinutes(1), new Cancellation());

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "A.java|public final class LoginUser<T> {|class LoginUser",
                "A.java|record Hit(int a, int b) implements X {|class Hit",
                "A.java|public @interface Doc {|interface Doc",
                "A.java|    private static Map<String, List<Integer>> loginUser(String a, int b) {|function loginUser",
                "A.java|    public LoginUser(String name) {|function LoginUser",
                "A.java|    static final int MAX_USERS = 10;|constant MAX_USERS",
                "A.java|    @Override public String toString() {|function toString",
                "A.java|        return loginUser(name);|none",
                "A.java|        if (loginUser(name)) {|none",
                "A.java|        } else if (user.login()) {|none",
                "A.java|        User user = loginUser(name);|none",
                "A.java|        // class LoginUser is|none",
                "a.kt|    suspend fun <T> login(user: User): T {|function login",
                "a.kt|data class User(val name: String)|class User",
                "a.kt|object Users {|class Users",
                "a.scala|  def loginUser(name: String): User =|function loginUser",
                "a.scala|case class User(name: String)|class User",
                "a.py|    async def login_user(self, name):|function login_user",
                "a.py|class LoginUser(Base):|class LoginUser",
                "a.py|MAX_USERS = 3|constant MAX_USERS",
                "a.py|    user = login_user(x)|none",
                "a.ts|export async function loginUser(a: string) {|function loginUser",
                "a.ts|export const loginUser = async (a: string) => {|function loginUser",
                "a.ts|export interface User {|interface User",
                "a.ts|export type UserId = string;|type UserId",
                "a.ts|  private async loginUser(a: string): Promise<User> {|method loginUser",
                "a.js|  if (loginUser(a)) {|none",
                "a.js|const x = require('x');|constant x",
                "a.go|func (s *Server) LoginUser(ctx context.Context) error {|function LoginUser",
                "a.go|type User struct {|type User",
                "a.rs|pub(crate) async fn login_user<'a>(x: &'a str) -> User {|function login_user",
                "a.rs|pub struct User {|type User",
                "a.rs|macro_rules! user {|macro user",
                "a.c|static int login_user(const char *name, int n)|function login_user",
                "a.c|struct user {|class user",
                "a.h|struct user;|none",
                "a.cc|    return std::size_t(name) {|none",
                "a.h|    static constexpr int kMax = 4;|variable kMax",
                "a.h|concept Drawable = requires(T t) { t.draw(); };|type Drawable",
                "A.java|        return new LoginUser() {|none",
                "a.h|struct point { int x, y; };|class point",
                "a.c|login_user (const char *name, int n)|function login_user",
                "a.c|SYSCALL_DEFINE3(open, const char __user *, filename, int, flags, umode_t, mode)|function open",
                "a.c|static const struct file_operations user_fops = {|variable user_fops",
                "a.c|} user_t;|type user_t",
                "a.c|typedef int (*login_fn)(const char *name);|type login_fn",
                "a.c|EXPORT_SYMBOL(login_user);|none",
                "a.cpp|Users::Users(const Store& store) : store_(store) {|function Users",
                "a.cpp|class API_EXPORT Users : public Base {|class Users",
                "a.cpp|namespace app::users {|class users",
                "a.c|    login_user(name);|none",
                "a.c|#define MAX_USERS 10|macro MAX_USERS",
                "a.c|#define to_user(d) container_of(d, struct user, dev)|macro to_user",
                "a.h|struct task_struct {|class task_struct",
                "a.h|typedef struct list {|class list",
                "a.c|static inline kuid_t uid(struct task_struct *tsk)|function uid",
                "a.c|struct user *login_user(struct store *s, gfp_t flags)|function login_user",
                "a.c|int bulk(struct zz *s, gfp_t flags)|function bulk",
                "a.c|#include <sched.h> /* For struct task_struct. */|none",
                "a.c|    static_assert(sizeof(struct page) == 64);|none",
                "a.c|    size = sizeof(struct pages *);|none",
                "a.h|enum color { RED };|enum color",
                "a.h|enum color c;|none",
                "a.cpp|enum class Mode : int { A, B };|enum Mode",
                "a.cpp|class ns::Users;|none",
                "a.cpp|void ns::Widget<int>::resize(int w) { }|function resize",
                "a.cpp|template <typename T> class Widget final : public Base<T> {|class Widget",
                "a.cpp|std::vector<User> Users::find(const std::string& name) const {|function find",
                "a.cpp|    return login_user(name);|none",
                "a.cs|    public async Task<User> LoginUser(string name)|function LoginUser",
                "a.cs|public partial class Users : IUsers|class Users",
                "a.rb|  def self.login_user(name)|function login_user",
                "a.rb|class Admin::User < Base|class User",
                "a.php|    public function loginUser(string $name): User|function loginUser",
                "a.php|final class User|class User",
                "a.swift|    func loginUser(_ name: String) -> User {|function loginUser",
                "a.swift|public struct User: Codable {|class User",
                "a.sh|login_user() {|function login_user",
                "a.sql|CREATE TABLE IF NOT EXISTS app.users (|table users",
                "a.lua|function M.login_user(name)|function login_user",
                "a.ex|  def login_user(name) do|function login_user",
                "a.proto|message LoginUser {|type LoginUser",
                "a.txt|class LoginUser|none",
            })
    void aLineTellsWhatItDefines(String file, String line, String expected) {
        assertEquals(expected, told(file, line));
    }

    @Test
    void methodsOnTheLineOfTheirClassAreDefinitionsToo() {
        String line =
                "class Users { void login(User u) { go(u); } int count() { return size(); } }";

        assertEquals(
                "[class Users, function login, function count]",
                Definitions.in("A.java").all(line, deadline).stream()
                        .map(found -> found.kind() + " " + found.name())
                        .toList()
                        .toString());
    }

    @Test
    void methodsOfClassesInCPlusPlusMayHaveWordsBehindTheirParameters() {
        String line =
                "class Widget final : public Base { void paint(int x) override { draw(); } };";
        assertEquals(
                "[class Widget, function paint]",
                Definitions.in("A.cpp").all(line, deadline).stream()
                        .map(found -> found.kind() + " " + found.name())
                        .toList()
                        .toString());
    }

    @Test
    void indentationMayBeWhatMakesAMethod() {
        assertEquals("method loginUser", told("a.js", "    loginUser(name) {"));
        assertEquals("none", told("a.js", "loginUser(name, () => {"));
    }

    @Test
    void noLineTakesLong() {
        String line = "a<a, ".repeat(99) + "(";
        assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> {
                    for (String file : new String[] {"a.java", "a.cpp", "a.ts", "a.kt", "a.cs"}) {
                        told(file, line);
                        told(file, "a ".repeat(240) + "(");
                    }
                });
    }

    private String told(String file, String line) {
        return Definitions.in(file)
                .on(line, deadline)
                .map(d -> d.kind() + " " + d.name())
                .orElse("none");
    }
}
