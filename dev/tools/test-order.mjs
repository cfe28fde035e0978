import TestSequencer from '@jest/test-sequencer';

/**
 * Starts one end-to-end spec before every two others, because browsers need a whole core and other specs mostly wait. Unit tests come last: in a
 * fresh clone jest knows no durations and takes the largest files first, so a small spec file that starts a browser for half a minute would
 * otherwise run alone at the end.
 */
export default class MixedTests extends TestSequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const of = (...names) => sorted.filter(({ context }) => names.includes(context.config.displayName.name));
    const endToEnd = of('e2e');
    const others = of('integration', 'full', 'timed');
    const mixed = others.flatMap((test, index) =>
      index % 2 === 0 ? [...endToEnd.splice(0, 1), test] : [test],
    );
    return [...mixed, ...endToEnd, ...of('unit')];
  }
}
