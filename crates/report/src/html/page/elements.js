// Elements are made from tags, attributes and text. Text becomes text nodes: no name in a report is ever read as markup.
'use strict';

const SVG = 'http' + '://www.w3.org/2000/svg';

// Characters that control a terminal or turn the direction of text; a name may hold them to pass for another.
const HARMFUL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

function clean(text) {
  return String(text).replace(HARMFUL, '\ufffd');
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : clean(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false || child === '') continue;
    element.append(child instanceof Node ? child : document.createTextNode(clean(child)));
  }
  return element;
}

function el(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

// A text with names in it. A long word moves to the next line as a whole; one that is longer than a line is broken after dots and
// before the next word of a name.
function breakable(text) {
  return clean(text).split(/(\s+)/).map(word => {
    if (word.length < 16) return word;
    const parts = word.split(/(?<=[.$,])(?=[^.])|(?<=[a-z0-9])(?=[A-Z])/);
    return el('span', { class: 'long' }, parts.flatMap((part, index) => index ? [el('wbr'), part] : [part]));
  });
}

// 1 race, 2 races, 1,234 races
function counted(number, one, many) {
  return `${thousands(number)} ${number === 1 ? one : many}`;
}

function thousands(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}

function duration(ms) {
  if (ms < 1000) return `${ms} ms`;
  if (ms < 60000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60000)} min ${Math.floor(ms % 60000 / 1000)} s`;
}

// The end of a text that is too long for its place, where names differ most.
function shortened(text, most) {
  if (text.length <= most) return text;
  const tail = text.slice(text.length - most + 1);
  // Whole words, where not too much goes with the first.
  const word = tail.search(/(?<=[^A-Za-z0-9_])\w|(?<=[a-z])[A-Z]/);
  return '…' + (word > 0 && word < most / 2 ? tail.slice(word) : tail);
}
