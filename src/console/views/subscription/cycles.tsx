import type { ComponentChildren } from 'preact';
import { nameOfNotice, now, words } from '../../format';
import { Empty, Instant, Money, StatusBadge } from '../../parts';
import { mayBePaid } from '../attention/about';
import { useOpenItems } from '../attention/open-items';
import { Id } from '../common/facts';
import { nameOf } from '../common/subscription';
import type { Attempt, Cycle, ScheduledCycle } from '../common/schemas';
import { Postpone, Refund, Resolve, Retry, Skip } from './cycle-actions';
import { drawnLife, isOngoing, isRecordedAsFailed, type Life, outcomeIn, whyOf } from './life';
import { isByWebhook } from './next';
import { offeredOfCycle, refundedOf } from './offered';
import { PayByLink, PaymentLink } from './payment-link';
import { isOpen } from './waiting';

/** An entry of the list, with its time. */
interface Item {
  readonly at: number;
  readonly key: string;
  readonly shown: ComponentChildren;
}

/** Everything the timeline shows, as lists: the coming cycles, then all that has happened, newest first. */
export function Cycles({ life }: { readonly life: Life }) {
  const past = [
    ...life.cycles.map((cycle) => ({
      at: Date.parse(cycle.dueAt),
      key: `cycle ${cycle.cycle}`,
      shown: <OneCycle life={life} cycle={cycle} />,
    })),
    ...asides(life),
  ];
  return (
    <section aria-labelledby="cycles-heading">
      <h2 id="cycles-heading">Cycles</h2>
      {life.coming.length === 0 ? null : <Coming life={life} />}
      {past.length === 0 ? <Empty>No payment has fallen due yet.</Empty> : null}
      <ol class="cycles">
        {past
          .sort((one, other) => other.at - one.at)
          .map(({ key, shown }) => (
            <li key={key}>{shown}</li>
          ))}
      </ol>
      {life.hasEarlier ? (
        <p class="hint">Earlier cycles are in the audit log and in the API’s list of cycles.</p>
      ) : null}
    </section>
  );
}

function Coming({ life: { subscription, coming } }: { readonly life: Life }) {
  const { subscriptionId: id } = subscription;
  return (
    <details class="coming">
      <summary>{coming.length === 1 ? 'Next cycle' : `Next ${coming.length} cycles`}</summary>
      <ol class="cycles">
        {coming.map((cycle) => (
          <li key={cycle.cycle}>
            <Head of={cycle} status="scheduled">
              {isOngoing(subscription) ? <BeforeFirstAttempt id={id} cycle={cycle} /> : null}
            </Head>
          </li>
        ))}
      </ol>
    </details>
  );
}

function BeforeFirstAttempt(of: { readonly id: string; readonly cycle: ScheduledCycle }) {
  return (
    <>
      <Postpone {...of} />
      <Skip {...of} />
    </>
  );
}

/** A row that unfolds its attempts, notices and refunds. It starts unfolded if its money is missing. */
function OneCycle({ life: { subscription, notices }, cycle }: { readonly life: Life; readonly cycle: Cycle }) {
  const { subscriptionId: id, payer } = subscription;
  const { status, attempts, refunds, paymentLink } = cycle;
  const warning = mayBePaid(useOpenItems({ subscriptionId: id }), cycle.cycle);
  const offered = offeredOfCycle(subscription, cycle, now());
  const sent = notices.filter((notice) => notice.cycle === cycle.cycle);
  const isEmpty = attempts.length + refunds.length + sent.length === 0;
  const why = <Why of={cycle} subscription={subscription} />;
  return (
    <>
      <Head of={cycle} status={status} refunded={refundedOf(cycle)}>
        {offered.isResolvable ? <Resolve id={id} who={nameOf(payer)} cycle={cycle} /> : null}
        {offered.isRetriable ? <Retry id={id} cycle={cycle} warning={warning} /> : null}
        {offered.isSkippable ? <BeforeFirstAttempt id={id} cycle={cycle} /> : null}
        {offered.isPayable ? <PayByLink id={id} cycle={cycle} /> : null}
        {offered.isRefundable ? <Refund id={id} cycle={cycle} /> : null}
      </Head>
      {paymentLink === undefined ? null : <PaymentLink of={paymentLink} />}
      {isEmpty ? (
        <p class="muted">{why}</p>
      ) : (
        <details open={!FOLDED.has(status)}>
          <summary class="muted">{why}</summary>
          <ol class="attempts">
            {attempts.map((attempt) => (
              <OneAttempt
                key={`${attempt.attempt} ${attempt.send}`}
                of={attempt}
                outcome={outcomeIn(cycle, attempt)}
                isPassedOn={isByWebhook(sent, attempt)}
              />
            ))}
            {sent.map(({ noticeId, type, state, channel }) => (
              <li key={noticeId}>
                Notice “{nameOfNotice(type)}”{channel === undefined ? '' : ` by ${channel}`}{' '}
                <StatusBadge status={state} />
              </li>
            ))}
            {refunds.map(({ refundId, amount, status: state, createdAt, reason }) => (
              <li key={refundId}>
                Refund of <Money of={amount} /> on <Instant at={createdAt} /> <StatusBadge status={state} /> {reason}
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  );
}

/** Statuses in which no money is missing: the attempts are folded. */
const FOLDED: ReadonlySet<Cycle['status']> = new Set([...(['collected', 'skipped', 'scheduled'] as const)]);

interface WhyProps {
  readonly of: Cycle;
  readonly subscription: Life['subscription'];
}

/** Why the cycle is in its state, and what follows. */
function Why({ of, subscription }: WhyProps) {
  const ongoing = isOngoing(subscription);
  const isPaused = subscription.status === 'paused';
  const { status, nextAttemptAt, retryUntil } = of;
  return (
    <>
      {sentence(whyOf(of))}
      {isPaused && isOpen(of) ? ' No attempt is made during the pause.' : null}
      {nextAttemptAt === undefined || !ongoing || isPaused ? null : (
        <>
          {' '}
          {Date.parse(nextAttemptAt) > now() ? 'Next attempt on' : 'The next attempt was planned for'}{' '}
          <Instant at={nextAttemptAt} />.
        </>
      )}
      {retryUntil === undefined || status !== 'dunning' || !ongoing ? null : (
        <>
          {' '}
          Retries end on <Instant at={retryUntil} />.
        </>
      )}
    </>
  );
}

interface HeadProps {
  readonly of: Pick<ScheduledCycle, 'cycle' | 'dueAt' | 'collectBy' | 'amount' | 'postponedUntil' | 'heldUntil'>;
  readonly status: Cycle['status'];
  /** What was refunded of the cycle. */
  readonly refunded?: string | null;
  readonly children: ComponentChildren;
}

function Head({ of, status, refunded = null, children }: HeadProps) {
  const { cycle, dueAt, collectBy, amount, postponedUntil, heldUntil } = of;
  return (
    <div class="cycle-head">
      <strong>
        <Money of={amount} />
      </strong>
      <StatusBadge status={status} />
      {refunded === null ? null : <strong>{refunded}</strong>}
      <span>
        due <Instant at={dueAt} />
        {postponedUntil === undefined ? null : (
          <>
            , first attempt on <Instant at={postponedUntil} />
          </>
        )}
        {heldUntil === undefined ? null : (
          <>
            , on hold until <Instant at={heldUntil} />
          </>
        )}
      </span>
      <span class="muted">
        cycle {cycle}, window until <Instant at={collectBy} />
      </span>
      <span class="row-actions">{children}</span>
    </div>
  );
}

interface OneAttemptProps {
  readonly of: Attempt;
  readonly outcome: string;
  /** Whether the notice of its refusal went to the merchant's webhook. */
  readonly isPassedOn: boolean;
}

function OneAttempt({ of, outcome, isPassedOn }: OneAttemptProps) {
  const { attempt, send, adopted, at, authorizationId, detail, description, payerNotifiedAt, resolvedBy } = of;
  const again = send === 0 ? '' : `, send ${send + 1}`;
  return (
    <li>
      {adopted ? 'Debit found at the payment service' : attempt === 0 ? 'First attempt' : `Retry ${attempt}`}
      {again} on <Instant at={at} /> <StatusBadge status={isRecordedAsFailed(of) ? 'failed' : outcome} /> {description}{' '}
      {detail === undefined ? null : <code>{detail}</code>}{' '}
      {resolvedBy === undefined ? null : `Resolved by ${resolvedBy}. `}
      {payerNotifiedAt === undefined ? null : (
        <>
          {isPassedOn ? 'Notice accepted by your webhook on' : 'Payer notified on'} <Instant at={payerNotifiedAt} />
          .{' '}
        </>
      )}
      {authorizationId === undefined ? null : <Id of={authorizationId} />}
    </li>
  );
}

/** Entries between the cycles: pauses, amount changes, notices without an attempt, and the end. */
function asides(life: Life): Item[] {
  const { pauses, cancelled, notices, amounts } = drawnLife(life, now());
  return [
    ...pauses.flatMap(({ from, until }) => [
      aside(from, 'Paused', 'paused'),
      ...(until === null ? [] : [aside(until, until > now() ? 'The pause ends' : 'The pause ended', 'resumed')]),
    ]),
    ...amounts.slice(1).map(({ dueAt, cycle, amount }) =>
      aside(
        dueAt,
        <>
          Cycle {cycle} is the first at <Money of={amount} />
        </>,
        `amount ${cycle}`,
      ),
    ),
    ...notices
      // Notices of a refusal are listed with their attempt.
      .filter(({ type }) => type !== 'payment.failed')
      .map(({ at, type, cycle }) => aside(at, `Notice “${nameOfNotice(type)}” delivered`, `${type} ${cycle ?? ''}`)),
    ...(cancelled === null ? [] : [aside(cancelled.at, `Cancelled by the ${cancelled.by}`, 'end')]),
  ];
}

function aside(at: number, says: ComponentChildren, key: string): Item {
  const shown = (
    <p class="muted">
      {says}, <Instant at={new Date(at).toISOString()} />.
    </p>
  );
  return { at, key: `${key} ${at}`, shown };
}

function sentence(text: string): string {
  const plain = words(text);
  return plain === '' ? '' : `${plain.charAt(0).toUpperCase()}${plain.slice(1)}.`;
}
