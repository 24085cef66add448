package dev.agentloop.secret.pattern;

/** The id of an access key of AWS, and the secret that stands next to it. */
record AwsKey(String start) implements Trigger {
    private static final Chars ID = new Chars("A-Z0-9");
    private static final Chars SECRET = Chars.BASE64;
    private static final int ID_LENGTH = 16; // behind the four letters
    private static final int SECRET_LENGTH = 40;
    private static final int NEAR = 200;

    @Override
    public int find(Scan scan, int at) {
        if (!scan.beginsWord(at) || !scan.isLiteral(at, start)) {
            return -1;
        }
        int end = scan.run(at + start.length(), ID);
        if (end - at - start.length() != ID_LENGTH || Chars.WORD.has(scan.at(end))) {
            return -1;
        }
        scan.add(at, end, "AWS_KEY");
        return secret(scan, end);
    }

    private static int secret(Scan scan, int idEnd) {
        int at = idEnd;
        while (at < idEnd + NEAR) {
            while (at < idEnd + NEAR && at < scan.text.length() && !SECRET.has(scan.at(at))) {
                at++;
            }
            int end = scan.run(at, SECRET);
            if (end - at == SECRET_LENGTH && !isDigest(scan.text, at, end)) {
                scan.add(at, end, "AWS_SECRET");
                return end;
            }
            if (end == at) {
                return idEnd;
            }
            at = end;
        }
        return idEnd;
    }

    /** SHA-1 has as many characters, all of them hexadecimal. */
    private static boolean isDigest(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (Character.digit(text.charAt(i), 16) < 0) {
                return false;
            }
        }
        return true;
    }
}
