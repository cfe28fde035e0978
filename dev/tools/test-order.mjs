import TestSequencer from '@jest/test-sequencer';

const isUnit = ({ context }) => Number(context.config.displayName.name === 'unit');

/**
 * Runs the unit tests last. In a fresh clone jest knows no durations and takes the largest files first, so that a short spec that starts a
 * browser for half a minute would run alone at the end.
 */
export default class UnitTestsLast extends TestSequencer {
  sort(tests) {
    return super.sort(tests).sort((one, other) => isUnit(one) - isUnit(other));
  }
}
