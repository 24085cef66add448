const box = document.querySelector('nav input');
const found = document.querySelector('nav output');
const parts = [...document.querySelectorAll('section')];
const folded = [...document.querySelectorAll('details')];
let opened = [];
function search() {
  const word = box.value.trim().toLowerCase();
  opened.forEach(one => { one.open = false; });
  opened = [];
  let count = 0;
  for (const part of parts) {
    const here = !word || part.textContent.toLowerCase().includes(word);
    part.hidden = !here;
    count += here ? 1 : 0;
    if (word && here) {
      for (const one of part.querySelectorAll('details:not([open])')) {
        if (one.textContent.toLowerCase().includes(word)) {
          one.open = true;
          opened.push(one);
        }
      }
    }
  }
  found.textContent = word ? count + ' of ' + parts.length : '';
}
function unfold() {
  const open = folded.some(one => !one.open);
  folded.forEach(one => { one.open = open; });
}
function step(by) {
  const seen = parts.filter(part => !part.hidden);
  const at = seen.indexOf(document.activeElement);
  const next = seen[at < 0 ? (by > 0 ? 0 : seen.length - 1) : at + by];
  if (next) {
    next.focus();
    next.scrollIntoView({block: 'start'});
  }
}
box.addEventListener('input', search);
document.querySelector('nav button').addEventListener('click', unfold);
document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target === box) {
    if (event.key === 'Escape') { box.value = ''; search(); box.blur(); }
    return;
  }
  if (event.key === '/') { box.focus(); event.preventDefault(); }
  if (event.key === 'j') step(1);
  if (event.key === 'k') step(-1);
  if (event.key === 'e') unfold();
});
document.querySelector('nav').hidden = false;
