import { OctagonPause } from 'lucide-preact';
import type { VNode } from 'preact';
import { api, ask, post } from '../client';
import { announce, Consequences, Instant } from '../parts';
import { Action, ReasonField, requiredText, textOf } from '../views/common/action';
import { haltTexts, LIFTED, liftTexts } from '../views/dialogs/installation';
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

/** The button that starts sending again. */
function LiftHalt(): VNode {
  const today = useToday().data;
  return (
    <Action
      label="Lift the halt"
      title="Lift the halt"
      needs="liftHalt"
      changes={CHANGES}
      consequences={<Consequences of={liftTexts(today)} />}
      run={async (form) => {
        await ask(api.DELETE('/v1/halt', { body: { reason: textOf(form, 'reason') } }));
        announce(LIFTED);
      }}
    >
      <ReasonField />
    </Action>
  );
}

/** The button with which an admin halts all sending, at the foot of the navigation. */
export function HaltSending(): VNode | null {
  const today = useToday().data;
  const halted = useStill(today?.halted);
  if (halted !== null) return null;
  return (
    <Action
      label="Halt all sending"
      title="Halt all sending"
      needs="haltSending"
      isGrave
      changes={CHANGES}
      consequences={<Consequences of={haltTexts(today)} />}
      run={(form, key) => post('/v1/halt', undefined, { reason: requiredText(form, 'reason') }, key)}
    >
      <ReasonField isRequired />
    </Action>
  );
}
