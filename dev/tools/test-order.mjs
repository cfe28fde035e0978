import TestSequencer from '@jest/test-sequencer';

/**
 * Starts one end-to-end spec before every two others, because browsers need a whole core and other specs mostly wait. Unit tests come last,
 * so that no long spec runs alone at the end. Jest itself, without known durations, goes by file size: it would start a short but slow spec last.
 */
export default class TestOrder extends TestSequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const testsOf = (...names) =>
      sorted.filter(({ context }) => names.includes(context.config.displayName.name));
    const endToEnd = testsOf('e2e');
    const others = testsOf('integration', 'full', 'timed');
    const mixed = others.flatMap((test, index) =>
      index % 2 === 0 ? [...endToEnd.splice(0, 1), test] : [test],
    );
    return [...mixed, ...endToEnd, ...testsOf('unit')];
  }
}
