import { z } from 'zod';
import { acceptRestored, readHalt, type Halt, haltSending, liftHalt } from '../../ledger';
import { type AdminDeps, call, type TypedApp } from '../dependencies';
import { actorOfCaller, callerOf } from '../http/caller';
import { InstantOut, Reason, reasonOf } from '../http/fields';
import { Problem, stateConflict } from '../http/problems';
import { ReasonBody, RequiredReasonBody } from '../http/bodies';

export const LiftQuery = z.strictObject({ reason: Reason.optional() });

/** Whether all sending is halted; where it is, since when, by whom and why. */
export const HaltOut = z
  .object({
    halted: z.boolean(),
    since: InstantOut.optional(),
    by: z.string().optional().describe('The name of the API key, or dueday where the ledger was restored'),
    reason: z.string().optional(),
  })
  .meta({ id: 'Halt', description: 'Whether all sending is halted, and by whom and why.' });

export type HaltOut = z.output<typeof HaltOut>;

/**
 * Before anything is stored that would be sent: while all sending is halted, nothing new is taken.
 * @param isStored whether the same request has stored it already: then that waits, and the request may hear of it
 * @throws Problem `halted`.
 */
export async function refuseWhileHalted(
  { db }: Pick<AdminDeps, 'db'>,
  isStored: () => Promise<boolean> = async () => false,
): Promise<void> {
  if ((await readHalt(db)) === null || (await isStored())) return;
  throw new Problem('halted', 'All sending is halted: this request was not taken. Repeat it once the halt is lifted.');
}

const common = { tags: ['service'], response: { 200: HaltOut } };

/**
 * `POST`, `GET` and `DELETE /halt`: the one switch that stops all sending of the installation. What stops everybody is for a
 * key that is not limited to a part.
 */
export function haltRoutes(app: TypedApp, { db, clock, logger }: AdminDeps): void {
  app.post(
    '/halt',
    call('admin', 'whole', {
      ...common,
      operationId: 'haltSending',
      summary: 'Halts all sending: once it is answered, nothing is debited, captured or refunded until it is lifted',
      description:
        'What the service has already been asked for is followed to its end; pause, cancel, release and consent checks go on. Halted already: the standing halt is answered, with its own reason.',
      body: RequiredReasonBody,
    }),
    async (request) => {
      const by = actorOfCaller(callerOf(request));
      const { halt, isSettled } = await haltSending(db, { ...request.body, ...by, at: clock.now() });
      logger.warn({ ...by, isSettled }, 'all sending is halted');
      if (!isSettled) throw notSettled();
      return viewHalt(halt);
    },
  );
  app.get(
    '/halt',
    call('admin', 'whole', { ...common, operationId: 'getHalt', summary: 'Tells whether all sending is halted' }),
    async () => viewHalt(await readHalt(db)),
  );
  app.delete(
    '/halt',
    call('admin', 'whole', {
      ...common,
      operationId: 'liftHalt',
      summary: 'Lifts the halt: what is still inside its window is sent within a minute',
      description:
        'A halt that stands as the ledger was restored is lifted once everything was compared with the payment service since, and no difference waits for a person; before, 409 says what is missing.',
      querystring: LiftQuery,
      body: ReasonBody,
    }),
    async (request) => {
      const by = actorOfCaller(callerOf(request));
      const reason = reasonOf(request) ?? null;
      const restored = await acceptRestored(db, { ...by, at: clock.now() });
      if (restored.kind === 'stands')
        throw stateConflict(`Sending stays halted, as the ledger was restored: ${restored.why}.`);
      const lifted = await liftHalt(db, { ...by, at: clock.now(), reason });
      if (lifted !== null) logger.warn({ ...by }, 'the halt is lifted');
      return viewHalt(null);
    },
  );
}

function viewHalt(halt: Halt | null): HaltOut {
  return halt === null ? { halted: false } : { halted: true, ...halt };
}

/** The halt stands, and yet it cannot be said that nothing is committed any more. */
function notSettled(): Problem {
  const detail =
    'The halt stands, and no new send begins. One that began before it has not ended; repeat the request until it answers 200.';
  return new Problem('not_ready', detail, {}, { 'retry-after': '5' });
}
