import { accepted, refused } from '../outcome';
import { BOTH_FLAGS, capture, captured, reserved } from '../plays';
import { USUAL } from '../requests';
import { type Row, rowsOf } from '../row';

const PART = 15_00;

/** "Capture flag combinations": partialCapture | multipleCapture | effect. */
export const FLAGS: readonly Row[] = rowsOf('Resources and their fields', {
  'flags/false-false': [
    'false | false | One capture only, for the full authorized amount.',
    async (stage) => {
      const trial = await reserved(stage, { partialCapture: false, multipleCapture: false });
      refused(await capture(stage, trial, USUAL - 1), 'a capture of less than the authorized amount');
      accepted(await capture(stage, trial, USUAL), 'a capture of the full amount');
      refused(await capture(stage, trial, 1), 'a second capture');
    },
  ],
  'flags/false-true': [
    'false | true | One capture only; partialCapture must also be true for multiple captures.',
    async (stage) => {
      const trial = await reserved(stage, { partialCapture: false, multipleCapture: true });
      refused(await capture(stage, trial, PART), 'a capture of a part, without partialCapture');
      accepted(await capture(stage, trial, USUAL), 'a capture of the full amount');
      refused(await capture(stage, trial, 1), 'a second capture');
    },
  ],
  'flags/true-true': [
    'true | true | Several captures, whose sum may reach up to the authorized amount.',
    async (stage) => {
      const trial = await reserved(stage, BOTH_FLAGS);
      for (const part of [PART, PART, USUAL - 2 * PART]) {
        accepted(await capture(stage, trial, part), `one of several captures, of ${part} cents`);
      }
      await captured(stage, trial);
      refused(await capture(stage, trial, 1), 'a capture beyond the authorized amount');
    },
  ],
  'flags/true-false': [
    'true | false | One capture only, up to the authorized amount.',
    async (stage) => {
      const trial = await reserved(stage, { partialCapture: true, multipleCapture: false });
      refused(await capture(stage, trial, USUAL + 1), 'a capture above the authorized amount');
      accepted(await capture(stage, trial, PART), 'a capture of a part');
      refused(await capture(stage, trial, 1), 'a second capture');
    },
  ],
});
