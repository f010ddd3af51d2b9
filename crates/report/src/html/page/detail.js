// One finding: both sides beside each other, then why, and what to do.

function place(number) {
  const frame = DATA.frames[number];
  const href = address(frame);
  return el(href ? 'a' : 'span', { class: 'place code', href, title: frame.path || frame.method }, breakable(frame.place));
}

function source(number) {
  const frame = DATA.frames[number];
  if (!frame.source) return null;
  return el('pre', { class: 'source', title: frame.path }, frame.source.map(([line, text]) =>
    el('span', { class: line === frame.line ? 'it' : null }, el('i', {}, line), text || ' ')));
}

// A call of a path. Its source is shown and hidden by a click, if it is there.
function call(number) {
  const frame = DATA.frames[number];
  const item = el('li', {});
  if (frame.source) {
    const toggle = event => {
      const open = item.querySelector('pre');
      if (open) open.remove();
      else item.append(source(number));
      event.currentTarget.setAttribute('aria-expanded', String(!open));
    };
    item.append(el('button', { type: 'button', class: 'code', title: frame.method, 'aria-expanded': 'false', onclick: toggle }, breakable(frame.short)));
  } else {
    item.append(el('span', { class: 'code', title: frame.method }, breakable(frame.short)));
  }
  item.append(place(number));
  return item;
}

function locks(side) {
  if (!side.locks.length) return 'none';
  return side.locks.map((lock, index) => [
    index ? ', ' : '', el('code', {}, breakable(lock.name)), lock.shared ? ' for reading' : '',
    lock.taken_at === undefined ? '' : [' (taken at ', place(lock.taken_at), ')'],
  ]);
}

function sidePanel(side, which) {
  const frame = DATA.frames[side.at];
  return el('section', { class: `side ${which}`, 'aria-label': `${which} access` },
    el('h3', {}, el('span', { class: 'action' }, side.action), side.called ? [' of ', el('span', { class: 'code' }, breakable(side.called))] : '', ' at ', place(side.at)),
    el('p', { class: 'method code' }, breakable(frame.method)),
    source(side.at),
    el('dl', {},
      el('dt', {}, 'thread'), el('dd', {}, breakable(side.thread_in_full)),
      el('dt', {}, 'locks held'), el('dd', {}, locks(side)),
      side.path.length > 1 ? [el('dt', {}, 'path'), el('dd', {}, el('ol', { class: 'path' }, side.path.map(call)))] : null));
}

function sidePanels(sides) {
  return el('div', { class: 'sides' }, sidePanel(sides[0], 'first'), sidePanel(sides[1], 'second'));
}

// A class or field without its package: `Account` of `bank.Account`, `Account.balance` of `bank.Account.balance`.
function simple(name, parts) {
  return /^[\w.$\[\]]+$/.test(name) ? name.split('.').slice(-parts).join('.') : name;
}

// What speaks for a finding, what speaks against it, and what could have refuted it and did not: three lists.
const REASONS = [['evidence', 'why'], ['doubt', 'but'], ['tried', 'tried']];

function facts(finding) {
  const list = el('dl', { class: 'facts' });
  for (const [kind, label] of REASONS) {
    const reasons = finding.reasons.filter(reason => reason.kind === kind);
    if (!reasons.length) continue;
    list.append(el('dt', {}, label), el('dd', { class: kind }, el('ul', {}, reasons.map(reason =>
      el('li', {}, reason.refuter ? `${reason.refuter}: ` : '', reason.text)))));
  }
  if (finding.object) {
    const [name, at] = finding.object;
    list.append(el('dt', {}, 'object'), el('dd', {}, el('code', {}, name),
      at === null ? '' : [' created at ', place(at), ' in ', el('code', {}, DATA.frames[at].short)]));
    const allocation = at === null ? null : source(at);
    if (allocation) list.append(el('dd', {}, allocation));
  }
  if ((finding.held_by || []).length) {
    list.append(el('dt', {}, 'held by'), el('dd', {}, el('code', {}, breakable(finding.held_by.join(', ')))));
  }
  return list;
}

// Two threads at the moment when they met, or why they did not.
function happened(finding) {
  const tried = finding.confirmation;
  if (!tried) return null;
  const list = el('dl', { class: 'facts' });
  const fact = (label, text) => {
    if (text) list.append(el('dt', {}, label), el('dd', {}, breakable(text)));
  };
  fact('outcome', finding.outcome + (tried.because ? `: ${tried.because}` : ''));
  fact('harm', tried.harm);
  fact('value', tried.before && (tried.after ? `${tried.before} when they met, ${tried.after} when the first had gone on` : `${tried.before} when they met`));
  fact('test', tried.test);
  fact('repeat', tried.command);
  const stacks = (tried.stacks || []).map(stack => el('section', { class: 'side', 'aria-label': `thread ${stack.thread}` },
    el('h3', {}, `thread ${stack.thread}`),
    el('dl', {}, el('dt', {}, 'locks held'), el('dd', {}, stack.locks.length ? breakable(stack.locks.join(', ')) : 'none')),
    el('ol', { class: 'path' }, stack.frames.map(frame => el('li', {}, el('span', { class: 'code' },
      breakable(`${frame.method} ${frame.file || ''}${frame.line ? `:${frame.line}` : ''}`)))))));
  return el('section', { 'aria-label': 'confirmation' }, list, stacks.length ? el('div', { class: 'sides' }, stacks) : null);
}

function furtherPairs(finding) {
  const pairs = finding.pairs || [];
  if (!pairs.length) return null;
  const describe = side => [side.action, side.called ? [' of ', el('code', {}, side.called)] : '', ' at ', place(side.at), ' in ', el('code', {}, DATA.frames[side.at].short)];
  const one = pair => {
    const details = el('details', { class: 'pair' }, el('summary', {},
      pair.location === finding.location ? '' : [el('code', {}, pair.location), ': '], describe(pair.sides[0]), ', ', describe(pair.sides[1])));
    details.addEventListener('toggle', () => {
      if (details.open && !details.querySelector('.sides')) details.append(sidePanels(pair.sides));
    });
    return details;
  };
  const all = el('details', { class: 'further', open: pairs.length <= 10 },
    el('summary', {}, counted(finding.further, 'more pair of accesses with the same cause', 'more pairs of accesses with the same cause')));
  const fillIn = () => {
    if (!all.open || all.children.length > 1) return;
    all.append(...pairs.map(one));
    if (pairs.length < finding.further) all.append(el('p', { class: 'faint' }, `The other ${thousands(finding.further - pairs.length)} are in the JSON form of this report.`));
  };
  all.addEventListener('toggle', fillIn);
  fillIn();
  return all;
}

function detailOf(finding) {
  const copy = el('button', { type: 'button', title: 'Copy the key', onclick: () => copyText(finding.key, copy) }, finding.key);
  return [
    el('button', { class: 'back', type: 'button', onclick: () => { location.hash = '#/'; } }, '← all findings'),
    el('h2', { class: 'code' }, breakable(finding.location)),
    el('p', { class: 'sentence' }, breakable(finding.what)),
    el('div', { class: 'badges' },
      el('span', { class: `badge ${finding.confidence}` }, finding.confidence),
      finding.shown ? el('span', { class: 'badge high' }, finding.shown) : finding.outcome ? el('span', { class: 'badge' }, finding.outcome) : null,
      el('span', { class: 'badge' }, finding.kind), el('span', { class: 'badge' }, finding.analysis),
      el('span', { class: 'badge' }, `rank ${finding.rank}`), copy),
    happened(finding),
    sidePanels(finding.sides),
    finding.advice ? el('p', { class: 'advice' }, el('b', {}, 'Fix: '), finding.advice) : null,
    facts(finding),
    usePicture(finding),
    callPicture(finding),
    heapPicture(finding),
    furtherPairs(finding),
  ];
}

function copyText(text, button) {
  const done = () => {
    button.textContent = 'copied';
    setTimeout(() => { button.textContent = text; }, 1200);
  };
  if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, () => {});
}
