// Pictures of a finding: the heap around the raced object, and the life of the memory as far as it is known.

function text(x, y, words, most, attributes) {
  return svg('text', { x, y, ...attributes }, shortened(words, most), svg('title', {}, words));
}

// An arrow from one point to another, with its head at the end.
function arrow(x1, y1, x2, y2, attributes) {
  const angle = Math.atan2(y2 - y1, x2 - x1);
  const wing = turn => `${(x2 - 8 * Math.cos(angle + turn)).toFixed(1)} ${(y2 - 8 * Math.sin(angle + turn)).toFixed(1)}`;
  return svg('path', { class: 'arrow', ...attributes, d: `M${x1} ${y1} L${x2} ${y2} M${wing(0.5)} L${x2} ${y2} L${wing(-0.5)}` });
}

// The columns of the heap: what holds the raced object to its left, at its distance, what it holds to its right.
function columns(graph) {
  const distance = graph.nodes.map(() => Infinity);
  distance[0] = 0;
  const pending = [0];
  while (pending.length) {
    const node = pending.shift();
    for (const [from, to] of graph.edges) {
      if (to === node && distance[from] === Infinity && graph.nodes[from].role !== 'held') { distance[from] = distance[node] + 1; pending.push(from); }
    }
  }
  const levels = new Map();
  graph.nodes.forEach((node, index) => {
    const level = index === 0 ? 0 : distance[index] === Infinity ? 1 : -distance[index];
    if (!levels.has(level)) levels.set(level, []);
    levels.get(level).push(index);
  });
  return [...levels].sort(([a], [b]) => a - b);
}

function heapPicture(finding) {
  const graph = finding.heap;
  if (!graph || graph.nodes.length < 2) return null;
  const [box, gap, height, apart] = [190, 84, 46, 20];
  const levels = columns(graph);
  const tallest = Math.max(...levels.map(([, nodes]) => nodes.length));
  const total = tallest * (height + apart) - apart;
  const places = [];
  levels.forEach(([, nodes], column) => nodes.forEach((node, row) => {
    const own = nodes.length * (height + apart) - apart;
    places[node] = { x: column * (box + gap), y: (total - own) / 2 + row * (height + apart), column };
  }));
  const width = levels.length * (box + gap) - gap;
  const edges = graph.edges.map(([from, to, by]) => {
    const [a, b] = [places[from], places[to]];
    // Several fields between the same two stand on one edge.
    const same = graph.edges.filter(edge => edge[0] === from && edge[1] === to);
    if (same[0][2] !== by) return null;
    const name = same.map(edge => edge[2]).join(', ');
    if (a.column === b.column) {
      const x = a.x + box;
      const [y1, y2] = [a.y + height / 2, b.y + height / 2];
      return from === to
        ? [svg('path', { class: 'arrow', d: `M${x} ${y1 - 8} q26 8 0 16` }), text(x + 18, y1 + 4, name, 12, { class: 'faint' })]
        : [svg('path', { class: 'arrow', d: `M${x} ${y1} q30 ${(y2 - y1) / 2} 2 ${y2 - y1}` }), text(x + 18, (y1 + y2) / 2, name, 12, { class: 'faint' })];
    }
    const forward = a.column < b.column;
    const [x1, x2] = forward ? [a.x + box + 1, b.x - 2] : [a.x - 1, b.x + box + 2];
    const [y1, y2] = [a.y + height / 2, b.y + height / 2];
    return [arrow(x1, y1, x2, y2), text((x1 + x2) / 2, (y1 + y2) / 2 - 5, name, 13, { class: 'faint', 'text-anchor': 'middle' })];
  });
  const nodes = graph.nodes.map((node, index) => {
    const { x, y } = places[index];
    const below = node.role === 'class' ? 'class' : node.at === undefined ? '' : `created at ${DATA.frames[node.at].place}`;
    return svg('g', {}, svg('rect', { x, y, width: box, height, rx: node.role === 'class' ? 0 : 8, class: `box ${index ? node.role : 'raced'}` }),
      text(x + box / 2, y + (below ? 20 : 28), simple(node.class, 1), 24, { 'text-anchor': 'middle' }),
      below ? text(x + box / 2, y + 37, below, 29, { 'text-anchor': 'middle', class: 'faint' }) : null);
  });
  const label = `The heap around ${graph.nodes[0].class}`;
  return [el('h3', {}, 'Where the object is'),
    el('div', { class: 'picture', tabindex: 0 }, svg('svg', { viewBox: `-3 -12 ${width + 40} ${total + 24}`, width: width + 40, height: total + 24, role: 'img', 'aria-label': label, id: 'heap', style: `min-width:${Math.round(width * 0.72)}px` }, edges, nodes)),
    el('p', { class: 'faint' }, 'An arrow is a field that may hold the object it points to. ',
      graph.left_out ? `${counted(graph.left_out, 'further reference is', 'further references are')} left out.` : '')];
}

// What is known to happen, in lanes: time runs downwards within a lane; between the lanes only arrows order anything.
function lifePicture(finding) {
  const events = lifeOf(finding);
  const [lane, top, step, box] = [300, 44, 52, 270];
  const lanes = [events.before, ...events.lanes];
  const shown = lanes.map((list, index) => ({ list, index })).filter(({ list, index }) => index > 0 || list.length);
  // Both accesses stand in the last row.
  const longest = Math.max(...events.lanes.map(list => list.length));
  const rows = events.before.length + longest;
  const firstRow = index => index ? rows - lanes[index].length : 0;
  const [width, height] = [shown.length * lane, top + rows * step + 16];
  const titles = ['before', finding.sides[0].thread, finding.sides[1].thread];
  const classes = ['', 'first', 'second'];
  const position = (column, row) => ({ x: column * lane + 6, y: top + row * step });
  const drawn = [];
  shown.forEach(({ list, index }, column) => {
    const first = firstRow(index);
    const centre = column * lane + 6 + box / 2;
    drawn.push(text(centre, 20, titles[index], 38, { 'text-anchor': 'middle', class: `title ${classes[index]}` }));
    const end = index ? top + rows * step - 12 : top + list.length * step - 12;
    drawn.push(svg('line', { x1: centre, x2: centre, y1: 30, y2: end, class: `lane ${classes[index]}` }));
    list.forEach((event, row) => {
      const { x, y } = position(column, first + row);
      drawn.push(svg('g', {}, svg('rect', { x, y, width: box, height: 40, rx: 6, class: `box ${classes[index]} ${event.is_it ? 'it' : ''}` }),
        text(x + box / 2, y + 17, event.what, 36, { 'text-anchor': 'middle' }),
        text(x + box / 2, y + 33, event.where, 40, { 'text-anchor': 'middle', class: 'faint' })));
    });
  });
  // Starts order what is before with the thread that is started.
  events.before.forEach((event, row) => (event.starts || []).forEach(index => {
    const from = position(0, row);
    const column = shown.findIndex(it => it.index === index + 1);
    const to = position(column, firstRow(index + 1));
    drawn.push(svg('path', { class: `arrow ${classes[index + 1]}`, d: `M${from.x + box} ${from.y + 20} C${from.x + box + 40} ${from.y + 20} ${to.x + box / 2} ${to.y - 40} ${to.x + box / 2} ${to.y - 3}` }));
  }));
  const its = [1, 2].map(index => {
    return position(shown.findIndex(it => it.index === index), rows - 1);
  });
  drawn.push(svg('path', { class: 'clash', d: `M${its[0].x + box} ${its[0].y + 20} L${its[1].x} ${its[1].y + 20}` }));
  return [el('h3', {}, 'Its life'),
    el('div', { class: 'picture', tabindex: 0 }, svg('svg', { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': 'What happens before, and in both threads', id: 'life' }, drawn)),
    el('p', { class: 'faint' }, 'Time runs downwards in each lane. Nothing is known that orders the two accesses joined by the dashed line.')];
}

// The events of a finding: those before the threads part, and those in each of them.
function lifeOf(finding) {
  const before = [];
  const at = number => `${DATA.frames[number].place} in ${DATA.frames[number].short}`;
  if (finding.object && finding.object[1] !== null) before.push({ what: `${simple(finding.object[0], 1)} is created`, where: at(finding.object[1]) });
  finding.sides.forEach((side, index) => {
    if (side.spawned_at === undefined) return;
    const known = before.find(event => event.start === side.spawned_at);
    if (known) known.starts.push(index);
    else before.push({ what: `${side.thread} is started`, where: at(side.spawned_at), start: side.spawned_at, starts: [index] });
  });
  const lanes = finding.sides.map(side => {
    const events = [];
    if (side.path.length > 1) events.push({ what: `enters ${DATA.frames[side.path[0]].short}`, where: DATA.frames[side.path[0]].place });
    for (const lock of side.locks) events.push({ what: `takes ${lock.name}${lock.shared ? ' for reading' : ''}`, where: lock.taken_at === undefined ? '' : at(lock.taken_at) });
    events.push({ what: `${side.action} of ${simple(finding.location, finding.kind === 'field' || finding.kind === 'static' ? 2 : 1)}`, where: at(side.at), is_it: true });
    return events;
  });
  return { before, lanes };
}
