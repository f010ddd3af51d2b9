// The page: tabs, filters, the list of findings with the chosen one beside it, and the keys.

const DATA = JSON.parse(document.getElementById('data').textContent);
const main = document.getElementById('main');
const CONFIDENCES = ['high', 'medium', 'low'];
// What the list shows until something else is chosen.
const AT_FIRST = CONFIDENCES.slice(0, CONFIDENCES.indexOf(DATA.least) + 1);

// What is searched in, made once: names, places and methods of both sides.
const HAYSTACKS = DATA.findings.map(finding => {
  const sides = finding.sides.flatMap(side => [DATA.frames[side.at].method, DATA.frames[side.at].place, side.thread]);
  return [finding.location, finding.what, finding.key, ...sides].join('\n').toLowerCase();
});

const filter = { text: '', package: '', kind: '', analysis: '', verdict: '', outcome: '', confidence: new Set(AT_FIRST), only: null };

// How a finding is known: what a run says of it, or that it is predicted only.
function verdict(finding) {
  return finding.outcome || finding.shown || 'predicted';
}

// What came of trying to make it happen: `confirmed`, `not met`, `not executed`, `lock`, `not tried`.
function outcome(finding) {
  return finding.outcome || 'not tried';
}

function accepted() {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const only = filter.only && new Set(filter.only.findings);
  const indices = [];
  DATA.findings.forEach((finding, index) => {
    if (only && !only.has(index)) return;
    if (!filter.confidence.has(finding.confidence)) return;
    if (filter.kind && finding.kind !== filter.kind) return;
    if (filter.analysis && finding.analysis !== filter.analysis) return;
    if (filter.verdict && verdict(finding) !== filter.verdict) return;
    if (filter.outcome && outcome(finding) !== filter.outcome) return;
    if (filter.package && finding.package !== filter.package && !finding.package.startsWith(filter.package + '.')) return;
    if (words.every(word => HAYSTACKS[index].includes(word))) indices.push(index);
  });
  return indices;
}

// A name in a row: the class and field, or the class and the field that holds it, without packages; then, set back and
// the first to be cut off, the package. `isField` says whether the last part is a field.
function named(name, isField) {
  const apart = (text, parts) => {
    const pieces = text.split('.');
    return /\s/.test(text) ? [text, ''] : [pieces.slice(-parts).join('.'), pieces.slice(0, -parts).join('.')];
  };
  const [itself, holder] = isField ? [name] : name.split(' in ');
  const [short, itsPackage] = apart(itself, isField ? 2 : 1);
  const [holderShort, holderPackage] = holder ? apart(holder, 2) : ['', ''];
  const from = holderPackage || itsPackage;
  return [short, holder ? [el('span', { class: 'faint' }, ' in '), holderShort] : '', from ? el('span', { class: 'faint' }, `  ${from}`) : ''];
}

function findingRow(index) {
  const finding = DATA.findings[index];
  return el('div', { class: finding.confidence, title: `${finding.location}: ${finding.what}` },
    el('div', { class: 'top' }, el('span', { class: 'name code' }, named(finding.location, finding.kind === 'field' || finding.kind === 'static')),
      finding.outcome ? el('span', { class: `rank outcome ${finding.outcome}` }, finding.outcome) : null,
      finding.further ? el('span', { class: 'rank' }, `${thousands(finding.further + 1)} pairs`) : null,
      el('span', { class: `badge ${finding.confidence}` }, finding.confidence)),
    el('div', { class: 'what' }, finding.what));
}

const detail = el('article', { class: 'detail', tabindex: -1, 'aria-label': 'Finding' });
const findings = new Rows({
  height: 72, label: 'Findings', make: findingRow,
  chosen: index => { history.replaceState(null, '', `#/finding/${DATA.findings[index].key}`); openDetail(index); },
});

function openDetail(index) {
  const finding = DATA.findings[index];
  main.classList.add('open');
  detail.replaceChildren(...[detailOf(finding)].flat(Infinity).filter(Boolean));
  detail.scrollTop = 0;
  // Wide pictures begin at what they are about.
  for (const picture of detail.querySelectorAll('[data-look]')) {
    picture.scrollLeft = Math.max(0, picture.scrollWidth * Number(picture.dataset.look) - picture.clientWidth / 2);
  }
  document.title = clean(`${finding.location} – Selvedge`);
}

function values(of) {
  const counts = new Map();
  for (const finding of DATA.findings) counts.set(of(finding), (counts.get(of(finding)) || 0) + 1);
  return [...counts].sort(([a], [b]) => a < b ? -1 : 1);
}

// Packages with those above them that hold more than one, so that a whole tree can be chosen.
function packages() {
  const counts = new Map();
  for (const { package: name } of DATA.findings) {
    const parts = name.split('.');
    for (let length = 1; length <= parts.length; length++) {
      const above = parts.slice(0, length).join('.');
      counts.set(above, (counts.get(above) || 0) + 1);
    }
  }
  return [...counts].filter(([name, count]) => name && ![...counts].some(([other, same]) =>
    same === count && other.startsWith(name + '.'))).sort(([a], [b]) => a < b ? -1 : 1);
}

function choice(key, title, options) {
  return el('select', { 'aria-label': title, id: `filter-${key}`, onchange: event => { filter[key] = event.target.value; refresh(); } },
    el('option', { value: '' }, `any ${title}`),
    options.map(([value, count]) => el('option', { value, selected: filter[key] === value }, `${value} (${count})`)));
}

const search = el('input', {
  type: 'search', id: 'search', placeholder: 'Search   ( / )', title: 'Names, methods, places, keys', 'aria-label': 'Search', spellcheck: 'false',
  oninput: event => { filter.text = event.target.value; refresh(); },
});
const toggles = CONFIDENCES.map((name, index) => el('button', {
  type: 'button', class: name, id: `toggle-${name}`, 'aria-pressed': String(filter.confidence.has(name)), title: `Show ${name} confidence (${index + 1})`, onclick: () => toggle(name),
}, `${name} ${thousands(DATA.findings.filter(finding => finding.confidence === name).length)}`));
const chip = el('button', { type: 'button', class: 'chip', id: 'only', title: 'Show all again', hidden: true, onclick: () => { filter.only = null; refresh(); } });
const filters = el('div', { class: 'filters', role: 'search' }, search, el('div', { class: 'toggles' }, toggles), chip,
  el('div', { class: 'choices' }, choice('package', 'package', packages()), choice('kind', 'kind', values(finding => finding.kind)), choice('analysis', 'analysis', values(finding => finding.analysis)),
    choice('verdict', 'verdict', values(verdict)),
    DATA.findings.some(finding => finding.outcome) ? choice('outcome', 'outcome', values(outcome)) : null));
const nothing = el('p', { class: 'nothing', hidden: true });
const listPanel = el('section', { class: 'list', 'aria-label': 'All findings' }, filters, nothing, findings.element);

function toggle(name) {
  const chosen = new Set(filter.confidence);
  if (!chosen.delete(name)) chosen.add(name);
  choose(chosen);
  refresh();
}

function choose(confidences) {
  filter.confidence = new Set(confidences);
  toggles.forEach((button, index) => button.setAttribute('aria-pressed', String(filter.confidence.has(CONFIDENCES[index]))));
}

function refresh(wanted) {
  const indices = accepted();
  const current = wanted !== undefined ? wanted : findings.items[findings.selected];
  chip.hidden = !filter.only;
  chip.textContent = filter.only ? clean(`${filter.only.name}  ✕`) : '';
  nothing.hidden = indices.length > 0;
  nothing.textContent = nothingFits();
  findings.show(indices, indices.indexOf(current));
  status(indices.length === DATA.findings.length ? DATA.summary : `${thousands(indices.length)} of ${counted(DATA.findings.length, 'finding', 'findings')} shown`);
  if (findings.selected < 0) {
    if (indices.length && window.innerWidth > 800) findings.select(0, false);
    if (indices.length) openDetailIfWide(indices[0]);
    else detail.replaceChildren();
  }
}

function nothingFits() {
  if (!DATA.findings.length) return 'No races found.';
  const hidden = CONFIDENCES.filter(name => !filter.confidence.has(name) && DATA.findings.some(finding => finding.confidence === name));
  const shows = hidden.map(name => `“${name}”`).join(' or ');
  return hidden.length ? `No finding of the chosen confidence fits. ${shows} above shows more.` : 'No finding fits these filters.';
}

function openDetailIfWide(index) {
  if (window.innerWidth > 800) openDetail(index);
}

function status(text) {
  document.getElementById('footer').textContent = clean(text);
}

function groupPage(groups, label) {
  const rows = new Rows({
    height: 54, label,
    make: group => el('div', { title: group.name },
      el('div', { class: 'top' }, el('span', { class: 'name code' }, named(group.name, group.is_field)), el('span', { class: 'rank' }, `rank ${group.rank}`)),
      el('div', { class: 'what' }, group.at === undefined ? '' : `created at ${DATA.frames[group.at].place} in ${DATA.frames[group.at].short}; `,
        `${counted(group.findings.length, 'finding', 'findings')}, ${counted(group.pairs, 'pair', 'pairs')}`)),
    chosen: group => { filter.only = group; choose(CONFIDENCES); location.hash = '#/'; },
  });
  // Moving with the keys only selects; a click or Enter opens.
  rows.move = function (step) {
    this.select(Math.max(0, Math.min(this.items.length - 1, this.selected < 0 ? 0 : this.selected + step)), false);
  };
  rows.element.addEventListener('keydown', event => { if (event.key === 'Enter' && rows.selected >= 0) rows.chosen(rows.items[rows.selected]); });
  main.replaceChildren(el('section', { class: 'list alone', 'aria-label': label }, groups.length ? null : el('p', { class: 'nothing' }, 'Nothing here.'), rows.element));
  rows.show(groups, -1);
  current = rows;
  rows.element.focus();
  status(`${counted(groups.length, label.toLowerCase().replace(/s$/, ''), label.toLowerCase())}, the highest rank first`);
}

const TABS = [
  ['', 'Findings', () => DATA.findings.length],
  ['fields', 'Fields', () => DATA.fields.length],
  ['objects', 'Objects', () => DATA.objects.length],
  ...(DATA.safe ? [['safe', 'Safe', () => DATA.safe.length]] : []),
  ...(DATA.suppressed ? [['suppressed', 'Suppressed', () => DATA.suppressed.length]] : []),
  ['statistics', 'Statistics', () => null],
];
let current = findings;

function route() {
  const [, page = '', key] = location.hash.split('/');
  const tab = page === 'finding' ? '' : page;
  document.getElementById('tabs').replaceChildren(...TABS.map(([name, title, count]) =>
    el('a', { href: `#/${name}`, 'aria-current': name === tab ? 'page' : null }, title, count() === null ? null : [' ', el('span', { class: 'count' }, thousands(count()))])));
  main.classList.remove('open');
  document.title = `Selvedge: ${DATA.summary}`;
  if (page === 'fields') return groupPage(DATA.fields, 'Fields');
  if (page === 'objects') return groupPage(DATA.objects, 'Objects');
  if (page === 'safe' && DATA.safe) { main.replaceChildren(safePage()); return status(`${thousands(DATA.safe.length)} safe locations`); }
  if (page === 'suppressed' && DATA.suppressed) { main.replaceChildren(suppressedPage()); return status(`${thousands(DATA.suppressed.length)} suppressed`); }
  if (page === 'statistics') { main.replaceChildren(statisticsPage()); return status(DATA.summary); }
  main.replaceChildren(listPanel, detail);
  current = findings;
  const wanted = DATA.findings.findIndex(finding => finding.key === key || (finding.pairs || []).some(pair => pair.key === key));
  if (wanted >= 0 && !accepted().includes(wanted)) clearFilters(CONFIDENCES);
  refresh(wanted >= 0 ? wanted : undefined);
  if (wanted >= 0) openDetail(wanted);
  findings.element.focus();
}

function clearFilters(confidences = AT_FIRST) {
  Object.assign(filter, { text: '', package: '', kind: '', analysis: '', verdict: '', outcome: '', only: null });
  choose(confidences);
  search.value = '';
  for (const select of filters.querySelectorAll('select')) select.value = '';
}

// Light, dark, or as the system has it; kept where the browser allows it.
function theme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
  try { localStorage.setItem('selvedge-theme', root.dataset.theme); } catch { /* Not kept. */ }
}
try {
  const kept = localStorage.getItem('selvedge-theme');
  if (kept) document.documentElement.dataset.theme = kept;
} catch { /* As the system has it. */ }

const KEYS = [
  ['/', 'search'], ['j, ↓', 'next'], ['k, ↑', 'previous'], ['Enter', 'read the finding'], ['Esc', 'back to the list, then clear the filters'],
  ['1 2 3', 'show or hide high, medium, low'], ['f, o, s', 'fields, objects, statistics'], ['t', 'light or dark'], ['?', 'these keys, and links to an editor'],
];
const dialog = document.getElementById('keys');
dialog.append(el('dl', {}, KEYS.map(([key, what]) => [el('dt', {}, el('kbd', {}, key)), el('dd', {}, what)])), linkSettings(() => { if (main.contains(detail) && findings.selected >= 0) openDetail(findings.items[findings.selected]); }),
  el('button', { type: 'button', onclick: () => dialog.close() }, 'Close'));

// The list with the cursor in its search field. The address changes without an event: that would take the cursor away again.
function searchList() {
  if (!main.contains(listPanel)) {
    history.pushState(null, '', '#/');
    route();
  }
  main.classList.remove('open');
  search.focus();
  search.select();
}

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
  const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
  if (event.key === 'Escape') {
    if (document.activeElement === findings.element || !main.contains(listPanel)) { clearFilters(); location.hash = '#/'; refresh(); }
    main.classList.remove('open');
    return current.element.focus();
  }
  if (typing) {
    if (event.target === search && (event.key === 'ArrowDown' || event.key === 'Enter')) { event.preventDefault(); findings.element.focus(); if (event.key === 'ArrowDown') findings.move(findings.selected < 0 ? 0 : 1); }
    return;
  }
  const act = {
    '/': searchList,
    j: () => current.move(1), k: () => current.move(-1),
    1: () => toggle('high'), 2: () => toggle('medium'), 3: () => toggle('low'),
    f: () => { location.hash = '#/fields'; }, o: () => { location.hash = '#/objects'; }, s: () => { location.hash = '#/statistics'; },
    t: theme, '?': () => dialog.showModal(),
    Enter: () => { if (event.target === findings.element && findings.selected >= 0) { openDetail(findings.items[findings.selected]); detail.focus(); } },
  }[event.key];
  if (!act) return;
  if (event.key !== 'Enter') event.preventDefault();
  act();
}

document.getElementById('input').textContent = clean(DATA.input.paths.join(', '));
document.getElementById('theme').addEventListener('click', theme);
document.getElementById('help').addEventListener('click', () => dialog.showModal());
document.addEventListener('keydown', key);
window.addEventListener('hashchange', route);
route();
