import { longestTimeToCapture } from '../domain/payment/capture-rules';
import { capFaults, type Policy, returnFaults } from './creation-rules';
import type { Fault } from './problems';
import type { CreatePayment } from './schemas/payment-request';
import { fault } from './validation-faults';

/** The fields that can be read; an optional one that was left out is among them as undefined. */
type Known = Partial<CreatePayment>;

/** What no single field of a one-time payment can tell (decisions 6, 26). */
export function paymentFaults(known: Known, policy: Policy): Fault[] {
  return [
    ...flagFaults(known),
    ...timeFaults(known, policy),
    ...cappedFaults(known, policy),
    ...returnFaults(known, policy),
  ];
}

/** The merchant's category: the deployment's, unless the payment has its own. */
export function categoryOf({ merchantCategoryCode }: Known, policy: Policy): string | undefined {
  return merchantCategoryCode ?? policy.merchantCategoryCode;
}

/** "Partial capture: Event Dependent only" (reference, Limits); the service books a Single Immediate payment whole. */
function flagFaults({ plan, partialCapture, multipleCapture }: Known): Fault[] {
  if (plan !== 'SINGLE') return [];
  const flags = Object.entries({ partialCapture, multipleCapture });
  return flags.flatMap(([name, flag]) => (flag === true ? [fault(name, 'false or nothing for SINGLE', flag)] : []));
}

function timeFaults(known: Known, policy: Policy): Fault[] {
  const { plan, timeToCapture } = known;
  if (timeToCapture === undefined) return [];
  if (plan === 'SINGLE')
    return [fault('timeToCapture', 'nothing for SINGLE, which is captured at once', timeToCapture)];
  const category = readableCategory(known, policy);
  const longest = longestTimeToCapture(category, policy.longCapturePermitted);
  if (timeToCapture <= longest) return [];
  const why = policy.longCapturePermitted ? `for category ${category}` : 'as LONG_CAPTURE_PERMITTED is off';
  return [fault('timeToCapture', `a number of at most ${longest}, ${why}`, timeToCapture)];
}

/** Where one capture is to take the whole amount, that amount is capped as a capture is (decisions 26). */
function cappedFaults(known: Known, policy: Policy): Fault[] {
  const { plan, amount, partialCapture } = known;
  if (amount === undefined || plan === undefined) return [];
  const category = readableCategory(known, policy);
  if (plan === 'SINGLE') return capFaults(amount, category, `for category ${category}`);
  return partialCapture === false ? capFaults(amount, category, `for category ${category} without partialCapture`) : [];
}

/** Of a payment whose own category cannot be read, nothing is said that depends on it. */
function readableCategory(known: Known, policy: Policy): string | undefined {
  return 'merchantCategoryCode' in known ? categoryOf(known, policy) : undefined;
}
