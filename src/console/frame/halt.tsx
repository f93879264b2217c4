import { OctagonPause } from 'lucide-preact';
import type { VNode } from 'preact';
import { api, ask, post } from '../client';
import { counted, money } from '../format';
import { announce, Instant } from '../parts';
import { Action, ReasonField, requiredText, textOf } from '../views/common/action';
import { useStill, useToday } from '../views/common/answers';

const CHANGES = ['reports', 'attention', 'audit'];

/** Shown on every page while sending is halted. */
export function HaltBanner(): VNode | null {
  const halted = useStill(useToday().data?.halted);
  if (halted === undefined || halted === null) return null;
  const { since, by, reason } = halted;
  return (
    <section class="halt" role="alert" aria-label="Sending is halted">
      <OctagonPause aria-hidden="true" size={20} />
      <p>
        <strong>All sending is halted.</strong> Nothing is debited, captured or refunded. Halted by {by} on{' '}
        <Instant at={since} />: {reason}
      </p>
      <LiftHalt />
    </section>
  );
}

/** Starts sending again. */
function LiftHalt(): VNode {
  return (
    <Action
      label="Lift the halt"
      title="Lift the halt"
      needs="liftHalt"
      changes={CHANGES}
      consequences={
        <>
          <AtStake />
          <p>
            Payments still within their collection window are sent within a minute. The others are missed or, after a
            first attempt, failed.
          </p>
        </>
      }
      run={async (form) => {
        await ask(api.DELETE('/v1/halt', { body: { reason: textOf(form, 'reason') } }));
        announce('The halt is lifted. Payments still within their collection window are sent within a minute.');
      }}
    >
      <ReasonField />
    </Action>
  );
}

/** For admins, at the foot of the navigation. */
export function HaltSending(): VNode | null {
  const halted = useStill(useToday().data?.halted);
  if (halted !== null) return null;
  return (
    <Action
      label="Halt all sending"
      title="Halt all sending"
      needs="haltSending"
      isGrave
      changes={CHANGES}
      consequences={
        <>
          <p>
            Nothing is debited, captured or refunded until the halt is lifted. The outcomes of payments already sent are
            still followed.
          </p>
          <p>
            Due dates do not move. A payment whose collection window ends during the halt is missed or, after a first
            attempt, failed.
          </p>
          <AtStake />
        </>
      }
      run={(form, key) => post('/v1/halt', undefined, { reason: requiredText(form, 'reason') }, key)}
    >
      <ReasonField isRequired />
    </Action>
  );
}

function AtStake(): VNode | null {
  const atRisk = useToday().data?.atRisk;
  if (atRisk === undefined || atRisk.count === 0) return null;
  const { count: n, amount } = atRisk;
  return (
    <p>
      <strong>
        {money(amount)} in {counted(n, 'payment')}
      </strong>{' '}
      is lost if it is not collected within 24 hours.
    </p>
  );
}
