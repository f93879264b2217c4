import { type Explanation, say } from './event-facts';
import type { CAPTURE_EVENTS } from './event-types';
import { closed, reasonOf, stateOf, why } from './explanation-words';

export const CAPTURE_WORDS: Readonly<Record<(typeof CAPTURE_EVENTS)[number], Explanation>> = {
  'capture.requested': (facts) => [
    say`${facts.actor} ordered a capture of ${facts.money('amount')}.`,
    facts.data['finalCapture'] === true ? 'It is the final one: what is left is released.' : null,
  ],
  'capture.refused': (facts) => [
    say`${facts.actor} asked to capture ${facts.money('amount')}; it was refused${why(facts)}`,
  ],
  'capture.sending': (facts) => [
    say`The capture of ${facts.money('amount')} is sent now.`,
    'Nothing that the service listed stood in the way.',
  ],
  'capture.pending': (facts) => [say`The service has the capture as ${facts.text('captureId')}, and it is pending.`],
  'capture.successful': (facts) => [say`The capture was made: ${facts.money('amount')}.`],
  'capture.failed': (facts) => [
    say`The capture has failed: ${facts.text('detail')}.`,
    say`The service says: ${closed(facts.text('description'))}`,
  ],
  'capture.not_sent': (facts) => ['The capture did not reach the service.', reasonOf(facts)],
  'capture.unknown': (facts) => [
    'Whether the capture reached the service is not known.',
    'The service is asked; nothing is sent again before that is settled.',
    reasonOf(facts),
  ],
  'capture.unresolved': (facts) => ['What the service says does not tell what became of the capture.', reasonOf(facts)],
  'capture.contradicted': (facts) => [
    say`The capture is ${stateOf(facts, 'stands')} in the ledger, and the service now says ${stateOf(facts, 'found')}.`,
    'What stands is kept; a person must look.',
  ],
  'capture.stopped': (facts) => [
    say`The capture is stopped: ${closed(facts.text('reason'))}`,
    'It could be the same capture made twice.',
  ],
  'capture.cannot_be_sent': (facts) => ['The capture cannot be sent at present, and is tried again.', reasonOf(facts)],
  'capture.clocks_differ': (facts) => [
    say`The capture waits: ${closed(facts.text('reason'))}`,
    'Nothing is sent until both agree to a minute.',
  ],
  'capture.halted': () => [
    'The capture waits: all sending is halted.',
    'It is made once the halt is lifted, if its deadline allows.',
  ],
  'captures.unreadable': (facts) => [
    "The capture waits: the service's list of captures cannot be read.",
    reasonOf(facts),
  ],
};
