import Sequencer from '@jest/test-sequencer';
import { BEGINS_FIRST } from '../lanes.mjs';

/**
 * Files that take a minute begin first, so that no worker is left alone with one in the end; those that mostly wait let the
 * others' work pass meanwhile. The rest follows as Jest would have it: what took longest the last time, else the largest.
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
