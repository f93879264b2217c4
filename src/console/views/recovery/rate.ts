import { count, counted, money, share } from '../../format';
import type { Recovery } from '../common/schemas';

type Total = Recovery['total'];

/**
 * The number of payments that their first attempt did not collect and whose result is final (`decided`), and how many
 * of them were recovered (`won`). The report includes a missed payment only if it was paid by link.
 */
function decidedIn({ recovered, recoveredByLink, lost }: Pick<Total, 'recovered' | 'recoveredByLink' | 'lost'>) {
  const won = recovered.count + recoveredByLink.count;
  return { won, decided: won + lost.count };
}

export function recoveryRate(of: Pick<Total, 'recovered' | 'recoveredByLink' | 'lost'>): string {
  const { won, decided } = decidedIn(of);
  return ofHowMany(won, decided);
}

/** Such as `2 of 2 (100%)`: with the numbers, because a share of few payments proves little. */
export function ofHowMany(part: number, whole: number): string {
  return whole === 0 ? '–' : `${count(part)} of ${count(whole)} (${share(part, whole)})`;
}

/**
 * The result of the period in a sentence, and its details.
 * @param before the total of the preceding period; undefined until it is loaded
 */
export function summaryOf(
  total: Total,
  before: Total | undefined,
): { readonly says: string; readonly details: string } {
  const { recovered, recoveredByLink, lost, open, hoursToRecover } = total;
  const { won, decided } = decidedIn(total);
  if (decided + open.count === 0) return { says: 'No cycle of this period was declined.', details: '' };
  const sum = { ...recovered.amount, value: recovered.amount.value + recoveredByLink.amount.value };
  const details = [
    before === undefined || decidedIn(before).decided === 0 ? '' : `In the period before: ${recoveryRate(before)}.`,
    recoveredByLink.count === 0
      ? ''
      : `By payment link: ${figure(recoveredByLink)}; a missed payment counts only if it was paid by link.`,
    `Lost: ${figure(lost)}. Still open, and not counted: ${figure(open)}.`,
    hoursToRecover === null ? '' : `Half of those collected by a retry took at most ${hoursToRecover.median} hours.`,
  ];
  const says =
    decided === 0
      ? 'All payments that their first attempt did not collect are still open.'
      : `${count(won)} of ${counted(decided, 'payment')} (${share(won, decided)}) that the first attempt did not collect ${won === 1 ? 'was' : 'were'} recovered: ${money(sum)}.`;
  return { says, details: details.filter((each) => each !== '').join(' ') };
}

function figure({ count: n, amount }: Total['lost']): string {
  return `${count(n)} (${money(amount)})`;
}
