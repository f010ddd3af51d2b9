// What was counted: the funnel of stages as a chart, the further refuters, times, the program, assumptions, problems.

// What each stage leaves.
const STAGES = {
  original: 'accesses to the same field, elements or content, one of them a write',
  reachable: 'which two threads that may run at the same time reach',
  aliasing: 'on what may be the same object',
  escaping: 'which more than one thread may know',
  unlocked: 'with no lock that both hold',
};

function funnel(stages) {
  const original = Math.max(1, stages.length ? stages[0][1] : 1);
  // Stages fall by orders of magnitude: the length is the logarithm, so that the last ones can be seen and compared.
  const length = count => count <= 0 ? 0 : 100 * Math.log(count + 1) / Math.log(original + 1);
  return el('table', { class: 'stages', 'aria-label': 'Pairs of accesses left after each stage' }, el('tbody', {}, stages.map(([name, count]) => {
    const share = count * 100 / original;
    const bar = el('div', { class: 'bar' });
    bar.style.width = `${length(count)}%`;
    return el('tr', {}, el('td', { class: 'word' }, name), el('td', {}, el('div', { class: 'track' }, bar)),
      el('td', { class: 'number' }, thousands(count)), el('td', { class: 'number faint' }, `${share >= 10 || share === 0 ? share.toFixed(0) : share.toPrecision(2)} %`),
      el('td', { class: 'faint' }, STAGES[name] || ''));
  })));
}

function times(phases) {
  const total = Math.max(1, phases.reduce((sum, phase) => sum + phase.ms, 0));
  const width = 360;
  return el('table', {}, el('tbody', {}, phases.map(phase => el('tr', {},
    el('td', {}, phase.name), el('td', { class: 'number' }, duration(phase.ms)),
    el('td', {}, svg('svg', { width, height: 14, 'aria-hidden': 'true' },
      svg('rect', { class: 'bar', y: 2, width: Math.max(1, width * phase.ms / total), height: 10, rx: 2 })))))));
}

function table(rows) {
  return el('table', {}, el('tbody', {}, rows.map(([name, value]) => el('tr', {}, el('td', {}, name), el('td', { class: 'number' }, value)))));
}

// Objects by owners and races, if object races were looked for.
function ownership(counts) {
  return grid(['', 'race-free', 'racy'], [
    ['distributed', counts.distributed_race_free, counts.distributed_racy],
    ['owned by another object', counts.owned_race_free, counts.owned_racy]]);
}

// Objects by how their uses are protected, what conflicts look like, and what plain sharing would have told.
function uses(counts) {
  const fewer = (count, than) => than ? `${thousands(count)} (${Math.floor(Math.max(0, than - count) * 100 / than)} % fewer)` : thousands(count);
  return [grid(['protected by', 'objects'], [
    ['one thread alone', counts.local], ['order', counts.ordered], ['being only read', counts.read_only], ['a lock', counts.lock_protected],
    ['another reason for each field', counts.mix_protected], ['nothing: in conflict', counts.conflicting]]),
  grid(['in conflict', 'objects'], [
    ['all writes hold a lock', counts.writes_locked], ['each thread likely has its own', counts.thread_local],
    ['one lock, likely', counts.likely_lock], ['no common lock', counts.unlocked]]),
  grid(['', 'objects', 'allocation sites', 'access sites'], [
    ['may be shared and are written', counts.global, counts.global_allocations, counts.global_sites],
    ['accessed by several threads', counts.shared, counts.shared_allocations, counts.shared_sites],
    ['in conflict if only locks counted', fewer(counts.without_order, counts.shared), counts.without_order_allocations, fewer(counts.without_order_sites, counts.shared_sites)],
    ['in conflict', fewer(counts.conflicting, counts.shared), counts.conflicting_allocations, fewer(counts.conflicting_sites, counts.shared_sites)],
    ['told', fewer(counts.told, counts.shared), counts.told_allocations, fewer(counts.told_sites, counts.shared_sites)]])];
}

// The size of the application, and how much of it was reached.
function application(counts) {
  const share = (reached, all) => all ? `${thousands(all)}, ${thousands(reached)} reached (${Math.round(reached * 100 / all)} %)` : '0';
  return table([['classes', thousands(counts.classes)], ['methods', share(counts.reached_methods, counts.methods)],
    ['statements', share(counts.reached_statements, counts.statements)], ['reads', thousands(counts.reads)], ['writes', thousands(counts.writes)],
    ['accesses to an object of which nothing is known', thousands(counts.unknown)]]);
}

// How many pairs each condition of the static datarace set leaves out.
function interthread(counts) {
  return [grid(['pairs of accesses', ''], [
    ['may conflict', counts.conflicting], ['always made by one thread', counts.same_thread], ['always under one lock', counts.common_sync],
    ['on objects that never leave their thread', counts.thread_local], ['on what is thread-specific', counts.thread_specific],
    ['may race', counts.racy], ['told, because no other reason keeps them apart', counts.told]]),
  grid(['', 'all', 'in pairs that may race'], [['access sites', counts.sites, counts.racy_sites]])];
}

function grid(head, rows) {
  const cell = value => typeof value === 'number' ? thousands(value) : value;
  return el('table', {}, el('thead', {}, el('tr', {}, head.map((name, column) => el('th', column ? { class: 'number' } : {}, name)))),
    el('tbody', {}, rows.map(row => el('tr', {}, row.map((value, column) => el('td', column ? { class: 'number' } : {}, cell(value)))))));
}

function inputRows() {
  const { paths, classpath, jdk, main, library, analyses, options } = DATA.input;
  const rows = [['input', paths.join(', ')]];
  if (classpath) rows.push(['class path', classpath.join(', ')]);
  if (jdk) rows.push(['JDK', jdk]);
  if (main) rows.push(['main class', main]);
  if (library) rows.push(['library', library.length ? library.join(', ') : 'all public classes']);
  rows.push(['analyses', analyses.join(', ')]);
  for (const [name, value] of Object.entries(options || {})) rows.push([name, value]);
  rows.push(['made by', `selvedge ${DATA.version}`]);
  return el('table', {}, el('tbody', {}, rows.map(([name, value]) => el('tr', {}, el('td', { class: 'faint' }, name), el('td', {}, value)))));
}

function statisticsPage() {
  const stats = DATA.stats;
  const program = [['classes', stats.classes], ['methods', stats.methods], ['contexts', stats.contexts], ['objects', stats.objects]]
    .map(([name, count]) => [name, thousands(count)]);
  if (stats.peak_rss_bytes) program.push(['memory', `${thousands(Math.round(stats.peak_rss_bytes / 1e6))} MB`]);
  const suppressed = Object.entries(stats.suppressed || {});
  const section = (title, ...body) => [el('h2', {}, title), body];
  return el('div', { class: 'sheet', tabindex: 0 },
    section('Analysed', inputRows()),
    section('Pairs of accesses left after each stage', funnel(DATA.stages), el('p', { class: 'faint' }, 'The length of a bar is the logarithm of its number.')),
    stats.refuters.length ? section('Removed by further refuters', table(stats.refuters.map(refuter => [refuter.name, thousands(refuter.removed)]))) : null,
    stats.ownership ? section('Shared objects, by owners and races', ownership(stats.ownership)) : null,
    stats.uses ? section('Uses of shared objects', uses(stats.uses)) : null,
    stats.interthread ? section('The static datarace set', interthread(stats.interthread)) : null,
    suppressed.length ? section('Suppressed findings', table(suppressed.map(([reason, count]) => [reason, thousands(count)]))) : null,
    stats.phases.length ? section('Time', times(stats.phases)) : null,
    section('Program', table(program)),
    stats.application ? section('Application', application(stats.application)) : null,
    DATA.assumptions.length ? section('The result rests on', el('ul', {}, DATA.assumptions.map(text => el('li', {}, text)))) : null,
    DATA.problems.length ? section('Problems with the input', el('ul', {}, DATA.problems.map(problem =>
      el('li', {}, el('code', {}, problem.place), ` ${problem.message} `, el('span', { class: 'faint' }, problem.kind))))) : null);
}

function locationName(location) {
  if (location.field !== undefined) return `${location.class}.${location.field}`;
  const holder = location.held_by[0];
  return holder ? `${location.class} in ${holder.class}.${holder.field}` : location.class;
}

// Rows of a long table that are made at first.
const AT_ONCE = 400;

function safePage() {
  const rowsOf = safe => safe.because.map((because, index) => el('tr', {},
    el('td', { class: 'code' }, index ? '' : breakable(locationName(safe.location))),
    el('td', {}, because.refuter, (because.examples || []).map(example => el('div', { class: 'faint' }, breakable(example)))),
    el('td', { class: 'word' }, because.strength), el('td', { class: 'number' }, thousands(because.count))));
  const body = el('tbody', {}, DATA.safe.slice(0, AT_ONCE).map(rowsOf));
  const rest = DATA.safe.length - AT_ONCE;
  const more = rest > 0 ? el('button', { type: 'button', id: 'more', onclick: () => { body.append(...DATA.safe.slice(AT_ONCE).flatMap(rowsOf)); more.remove(); } },
    `Show the other ${thousands(rest)}`) : null;
  return el('div', { class: 'sheet', tabindex: 0 }, el('h2', {}, 'Why these locations are safe'),
    el('p', { class: 'faint' }, 'Each was a candidate. A proof holds under the assumptions of the report; a heuristic may be wrong.'),
    el('table', { class: 'safe' }, el('thead', {}, el('tr', {}, ['location', 'refuted by', 'strength'].map(title => el('th', {}, title)), el('th', { class: 'number' }, 'pairs'))),
      body), more);
}

function suppressedPage() {
  const rows = DATA.suppressed.map(it => el('tr', {},
    el('td', {}, el('span', { class: 'code' }, it.location), el('div', { class: 'faint' }, it.what), el('div', { class: 'faint code' }, it.key)),
    el('td', { class: 'word' }, it.by), el('td', {}, it.reason)));
  return el('div', { class: 'sheet', tabindex: 0 }, el('h2', {}, 'Findings that are not reported, and why'),
    el('table', {}, el('thead', {}, el('tr', {}, ['finding', 'left out by', 'reason'].map(title => el('th', {}, title)))), el('tbody', {}, rows)));
}
