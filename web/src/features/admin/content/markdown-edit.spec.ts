import { describe, expect, test } from '@jest/globals';
import {
  type Edit,
  linePrefixEdit,
  linkEdit,
  markerEdit,
  pictureEdit,
  type TextSelection,
} from './markdown-edit.js';

/** Parses `a «b» c`: the guillemets mark the selection. */
function read(shown: string): TextSelection {
  const start = shown.indexOf('«');
  const end = shown.indexOf('»') - 1;
  return { text: shown.replace(/[«»]/g, ''), start, end };
}

function show({ text }: TextSelection, { from, to, insert, select: [start, end] }: Edit): string {
  const after = text.slice(0, from) + insert + text.slice(to);
  return `${after.slice(0, start)}«${after.slice(start, end)}»${after.slice(end)}`;
}

const bold = (selected: TextSelection) => markerEdit(selected, '**', 'bold');
const italic = (selected: TextSelection) => markerEdit(selected, '*', 'italic');
const heading = (selected: TextSelection) => linePrefixEdit(selected, '## ', 'Heading');
const list = (selected: TextSelection) => linePrefixEdit(selected, '- ', 'Item');
const chart = (selected: TextSelection) => pictureEdit(selected, 'https://a.example/c.png', 'A [chart]');

describe('an editor command', () => {
  test.each<[string, (selected: TextSelection) => Edit, string, string]>([
    ['makes words bold', bold, 'a «b c» d', 'a **«b c»** d'],
    ['removes bold', bold, 'a **«b c»** d', 'a «b c» d'],
    ['leaves spaces outside of the bold words', bold, 'a« b »c', 'a **«b»** c'],
    ['offers words to type over', bold, 'a «»', 'a **«bold»**'],
    ['adds italics to bold', italic, '**«a»**', '***«a»***'],
    ['removes italics', italic, '*«a»*', '«a»'],
    ['makes a line a heading', heading, 'a\nb«»c\nd', 'a\n«## bc»\nd'],
    ['makes a heading a plain line', heading, '## a«»b', '«ab»'],
    ['begins a heading', heading, 'a\n\n«»', 'a\n\n## «Heading»'],
    ['makes the selected lines a list', list, '«a\n\nb»\nc', '«- a\n\n- b»\nc'],
    ['begins a heading in the empty first line', heading, '«»\nb', '## «Heading»\nb'],
    ['ends a list', list, '«- a\n- b»', '«a\nb»'],
    ['leaves the line after the selection out of the list', list, '«a\n»b', '«- a»\nb'],
    ['links words', linkEdit, 'see «this»', 'see [this](«https://»)'],
    ['leaves spaces outside of a link', linkEdit, 'see« this »now', 'see [this](«https://») now'],
    ['links an address', linkEdit, '«https://a.example»', '[«link text»](https://a.example)'],
    [
      'gives a picture its own paragraph and a description without brackets',
      chart,
      'a«»b',
      'a\n\n![A  chart ](https://a.example/c.png)\n\n«»b',
    ],
    ['puts a picture into an empty text', chart, '«»', '![A  chart ](https://a.example/c.png)«»'],
  ])('%s', (_, command, before, after) => {
    const selected = read(before);
    expect(show(selected, command(selected))).toBe(after);
  });
});
