// The blind page: shows one pair at a time, keeps votes in the browser, tells whose drafts won when all are judged.
const words = JSON.parse(document.getElementById('words').textContent);
const cards = [...document.querySelectorAll('.card')];
const set = document.body.dataset.set;
const kept = `fabai blind ${set}`;
let at = 0;
let votes = {};
try { votes = JSON.parse(localStorage.getItem(kept) || '{}'); } catch { /* a browser that keeps nothing */ }
let language = words[navigator.language.slice(0, 2)] ? navigator.language.slice(0, 2) : 'en';

function say(key, values = {}) {
  return words[language][key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

function result() {
  const key = JSON.parse(atob(document.getElementById('key').textContent));
  const sum = { tuned: 0, base: 0, same: 0 };
  const rows = cards.map(card => {
    const vote = votes[card.dataset.id];
    const winner = vote === 'same' ? 'same' : key[card.dataset.id][vote];
    sum[winner] += 1;
    return { section: card.dataset.section, vote, winner };
  });
  return { release: set, votes: rows, sum };
}

function show() {
  document.documentElement.lang = language;
  document.title = say('title');
  document.querySelectorAll('[data-say]').forEach(one => { one.textContent = say(one.dataset.say); });
  document.querySelectorAll('[data-language]').forEach(one => {
    one.setAttribute('aria-pressed', String(one.dataset.language === language));
  });
  cards.forEach((card, place) => { card.hidden = place !== at; });
  const judged = cards.filter(card => card.dataset.id in votes).length;
  document.getElementById('count').textContent = say('count', { n: judged, of: cards.length });
  document.querySelectorAll('[data-vote]').forEach(one => {
    one.setAttribute('aria-pressed', String(votes[cards[at].dataset.id] === one.dataset.vote));
  });
  document.getElementById('back').disabled = at === 0;
  const done = judged === cards.length;
  document.getElementById('end').hidden = !done;
  if (done) document.getElementById('sum').textContent = say('sum', result().sum);
}

function vote(choice) {
  votes[cards[at].dataset.id] = choice;
  try { localStorage.setItem(kept, JSON.stringify(votes)); } catch { /* as above */ }
  const next = cards.findIndex(card => !(card.dataset.id in votes));
  if (next >= 0) at = next;
  show();
}

function save() {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([JSON.stringify(result(), null, 1)], { type: 'application/json' }));
  link.download = 'votes.json';
  link.click();
}

document.addEventListener('click', event => {
  const button = event.target.closest('button');
  if (!button) return;
  if (button.dataset.vote) vote(button.dataset.vote);
  if (button.dataset.language) { language = button.dataset.language; show(); }
  if (button.id === 'save') save();
  if (button.id === 'back') { at = Math.max(0, at - 1); show(); }
});
document.addEventListener('keydown', event => {
  const choice = { 1: 'left', 2: 'right', 0: 'same' }[event.key];
  if (choice && !event.ctrlKey && !event.metaKey && !event.altKey) vote(choice);
});
show();
