import { isTerminal } from '../../../domain/subscription/state';
import { count, counted, instant, money } from '../../format';
import type { Consequence } from '../../parts/consequence';
import type { BulkDryRun, Subscription, TodayReport } from '../common/schemas';

/** The texts of the dialogs that affect many payments or events at once. */

/** @param today undefined until it is known, or if it may not be read */
function atStake(today: Pick<TodayReport, 'atRisk'> | undefined): readonly Consequence[] {
  if (today === undefined || today.atRisk.count === 0) return [];
  const { count: n, amount } = today.atRisk;
  const what = `${money(amount)} in ${counted(n, 'payment')}`;
  return [{ grave: what, rest: ' is lost if it is not collected within 24 hours.' }];
}

/** @param today undefined until it is known, or if it may not be read */
export function haltTexts(today: Pick<TodayReport, 'atRisk'> | undefined): readonly Consequence[] {
  return [
    'Nothing is debited, captured or refunded until the halt is lifted. The outcomes of payments already sent are still followed.',
    'Due dates do not move. A payment whose collection window ends during the halt is missed or, after a first attempt, failed.',
    ...atStake(today),
  ];
}

/** @param today undefined until it is known, or if it may not be read */
export function liftTexts(today: Pick<TodayReport, 'atRisk'> | undefined): readonly Consequence[] {
  return [
    ...atStake(today),
    'Payments still within their collection window are sent within a minute. The others are missed or, after a first attempt, failed.',
  ];
}

export const LIFTED = 'The halt is lifted. Payments still within their collection window are sent within a minute.';

export const REPLAY_TEXT =
  'All events of the period that match the types of this endpoint and have not been delivered to it are sent with their original IDs, including those from before it was created. Pending events are sent immediately. If delivered events are included, they come last; the receiver must recognise them by their IDs. You can stop a replay under Jobs.';

export function replayCountText(total: number): string {
  return `A replay started now would send ${counted(total, 'event')}.`;
}

/** What becomes of the next payments, for actions after which they are not collected. */
const LOST: Readonly<Partial<Record<BulkDryRun['action'], string>>> = {
  pause: '; those that fall due during the pause are not collected',
  cancel: ', which is not collected',
};

type DryRun = Pick<BulkDryRun, 'action' | 'amount' | 'counts' | 'tokenValidUntil'>;

const ACTIONS_REFUSED_AFTER_END: ReadonlySet<BulkDryRun['action']> = new Set([
  'pause',
  'resume',
  'retry',
  'amount-change',
] as const);

/** How many of the subscriptions have ended, so that the action is refused for them. */
function endedTexts({ action, counts }: Pick<DryRun, 'action' | 'counts'>): readonly Consequence[] {
  if (!ACTIONS_REFUSED_AFTER_END.has(action)) return [];
  const n = Object.entries(counts).reduce(
    (sum, [status, of]) => (isTerminal(status as Subscription['status']) ? sum + of : sum),
    0,
  );
  if (n === 0) return [];
  return [
    { grave: `${count(n)} of them ${n === 1 ? 'has' : 'have'} ended`, rest: ': the action is refused for them.' },
  ];
}

/** @param means what the individual call does @param isTestClock whether the page shows the times of a test clock */
export function bulkTexts(
  { action, amount, counts, tokenValidUntil }: DryRun,
  means: string,
  isTestClock: boolean,
): readonly Consequence[] {
  const real = isTestClock ? ' (real time)' : '';
  return [
    means,
    ...endedTexts({ action, counts }),
    `The next payments of these subscriptions are ${money(amount)} in total${LOST[action] ?? ''}. If the action is not possible for a subscription, it is still carried out for the others; the job lists the result of each.`,
    `Start it before ${instant(tokenValidUntil)}${real}. After that, or if one of the subscriptions changes before you start it, nothing is done, and you must repeat the dry run.`,
  ];
}

/** Such as `no subscription`, `one subscription`, `1,204 subscriptions`. */
export function subscriptionsText(total: number): string {
  if (total === 0) return 'no subscription';
  return total === 1 ? 'one subscription' : counted(total, 'subscription');
}
