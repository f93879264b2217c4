import type { ComponentChildren } from 'preact';
import { whyOf } from '../../../simulation/report/text';
import { now, words } from '../../format';
import { Empty, Instant, Money, StatusBadge } from '../../parts';
import { Id } from '../common/facts';
import type { Attempt, Cycle, ScheduledCycle, Subscription } from '../common/schemas';
import { Refund, Resolve, Retry, Skip } from './cycle-actions';
import { drawnLife, isLiving, type Life, storyOf } from './life';
import { offeredOfCycle } from './offered';

/** One thing of the life, at its place in time. */
interface Item {
  readonly at: number;
  readonly key: string;
  readonly shown: ComponentChildren;
}

/** All that the timeline shows, as an ordered list, the newest first. */
export function Cycles({ life }: { readonly life: Life }) {
  const { subscription } = life;
  const past = [
    ...life.cycles.map((cycle) => ({
      at: Date.parse(cycle.dueAt),
      key: `cycle ${cycle.cycle}`,
      shown: <OneCycle subscription={subscription} cycle={cycle} />,
    })),
    ...asides(life),
  ];
  return (
    <section aria-labelledby="cycles-heading">
      <h2 id="cycles-heading">Cycles</h2>
      {life.coming.length === 0 ? null : <Coming life={life} />}
      {past.length === 0 ? <Empty>No cycle has begun.</Empty> : null}
      <ol class="cycles">
        {past
          .sort((one, other) => other.at - one.at)
          .map(({ key, shown }) => (
            <li key={key}>{shown}</li>
          ))}
      </ol>
      {life.hasEarlier ? <p class="hint">Earlier cycles are in the trail, and in the API’s list of cycles.</p> : null}
    </section>
  );
}

function Coming({ life: { subscription, coming } }: { readonly life: Life }) {
  const { subscriptionId: id } = subscription;
  return (
    <details class="coming">
      <summary>{coming.length === 1 ? 'One cycle' : `The next ${coming.length} cycles`} to come</summary>
      <ol class="cycles">
        {coming.map((cycle) => (
          <li key={cycle.cycle}>
            <Head of={cycle} status="scheduled">
              {isLiving(subscription) ? <Skip id={id} cycle={cycle} /> : null}
            </Head>
          </li>
        ))}
      </ol>
    </details>
  );
}

function OneCycle({ subscription, cycle }: { readonly subscription: Subscription; readonly cycle: Cycle }) {
  const { subscriptionId: id } = subscription;
  const { status, attempts, refunds, nextAttemptAt, retryUntil } = cycle;
  const offered = offeredOfCycle(subscription, cycle);
  const isAlive = isLiving(subscription);
  return (
    <>
      <Head of={cycle} status={status}>
        {offered.isSkippable ? <Skip id={id} cycle={cycle} /> : null}
        {offered.isRetriable ? <Retry id={id} cycle={cycle} /> : null}
        {offered.isResolvable ? <Resolve id={id} cycle={cycle} /> : null}
        {offered.isRefundable ? <Refund id={id} cycle={cycle} /> : null}
      </Head>
      <p class="muted">
        {sentence(whyOf(storyOf(cycle)))}
        {nextAttemptAt === undefined || !isAlive ? null : (
          <>
            {' '}
            Next attempt at <Instant at={nextAttemptAt} />.
          </>
        )}
        {retryUntil === undefined || status !== 'dunning' || !isAlive ? null : (
          <>
            {' '}
            Retries end at <Instant at={retryUntil} />.
          </>
        )}
      </p>
      {attempts.length === 0 ? null : (
        <ol class="attempts">
          {attempts.map((attempt) => (
            <OneAttempt key={`${attempt.attempt} ${attempt.send}`} of={attempt} />
          ))}
        </ol>
      )}
      {refunds.map(({ refundId, amount, status: state, createdAt, reason }) => (
        <p key={refundId}>
          Refund of <Money of={amount} /> at <Instant at={createdAt} /> <StatusBadge status={state} /> {reason}
        </p>
      ))}
    </>
  );
}

interface HeadProps {
  readonly of: Pick<ScheduledCycle, 'cycle' | 'dueAt' | 'collectBy' | 'amount'>;
  readonly status: Cycle['status'];
  readonly children: ComponentChildren;
}

function Head({ of: { cycle, dueAt, collectBy, amount }, status, children }: HeadProps) {
  return (
    <div class="cycle-head">
      <strong>Cycle {cycle}</strong>
      <span>
        due <Instant at={dueAt} />, until <Instant at={collectBy} />
      </span>
      <Money of={amount} />
      <StatusBadge status={status} />
      <span class="row-actions">{children}</span>
    </div>
  );
}

function OneAttempt({ of }: { readonly of: Attempt }) {
  const { attempt, send, at, outcome, authorizationId, detail, description, payerNotifiedAt, resolvedBy } = of;
  const anew = send === 0 ? '' : `, sent anew (${send})`;
  return (
    <li>
      {attempt === 0 ? 'First attempt' : `Retry ${attempt}`}
      {anew} at <Instant at={at} /> <StatusBadge status={outcome} />{' '}
      {detail === undefined ? null : <code title={description}>{detail}</code>}{' '}
      {resolvedBy === undefined ? null : `Resolved by ${resolvedBy}. `}
      {payerNotifiedAt === undefined ? null : (
        <>
          Payer told at <Instant at={payerNotifiedAt} />.{' '}
        </>
      )}
      {authorizationId === undefined ? null : <Id of={authorizationId} />}
    </li>
  );
}

/** What stands between the cycles: pauses, notices of no attempt, and the end. */
function asides(life: Life): Item[] {
  const { pauses, cancelled, notices, amounts } = drawnLife(life, now());
  return [
    ...pauses.flatMap(({ from, until }) => [
      aside(from, 'Paused', 'paused'),
      ...(until === null ? [] : [aside(until, 'The pause ends', 'resumed')]),
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
      // Those of a refusal stand with their attempt.
      .filter(({ type }) => type !== 'payment.failed')
      .map(({ at, type, cycle }) => aside(at, `Notice ${type} delivered`, `${type} ${cycle ?? ''}`)),
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
  const said = words(text);
  return said === '' ? '' : `${said.charAt(0).toUpperCase()}${said.slice(1)}.`;
}
