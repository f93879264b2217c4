import Sequencer from '@jest/test-sequencer';
import { BEGINS_FIRST } from '../lanes.mjs';

/**
 * The slowest files start first, so that no worker is left with one at the end. They mostly wait, and others run meanwhile.
 * The rest follows in Jest's order: the file that took longest the last time, otherwise the largest.
 */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const place = BEGINS_FIRST.findIndex((pattern) => pattern.test(path));
      return place < 0 ? BEGINS_FIRST.length : place;
    };
    return super.sort(tests).toSorted((one, other) => rank(one) - rank(other));
  }
}
