import { z } from 'zod';
import { acceptRestored, readHalt, type Halt, haltSending, liftHalt } from '../../ledger';
import { type AdminDeps, call, type TypedApp } from '../dependencies';
import { actorOfCaller, callerOf } from '../http/caller';
import { InstantOut, Reason } from '../http/fields';
import { Problem, stateConflict } from '../http/problems';
import { ReasonBody, reasonOf, RequiredReasonBody } from '../http/bodies';

export const LiftQuery = z.strictObject({ reason: Reason.optional() });

/** Whether all sending is halted; if so, since when, by whom and why. */
export const HaltOut = z
  .object({
    halted: z.boolean(),
    since: InstantOut.optional(),
    by: z.string().optional().describe('The name of the API key, or dueday if the ledger was restored'),
    reason: z.string().optional(),
  })
  .meta({ id: 'Halt', description: 'Whether all sending is halted, and by whom and why.' });

export type HaltOut = z.output<typeof HaltOut>;

/**
 * Called before anything is stored that would be sent: while all sending is halted, nothing new is accepted.
 * @param isStored whether an earlier run of the same request has stored it: what is stored waits for the end of the
 *   halt, and the request may return its state
 * @throws Problem `halted`.
 */
export async function refuseWhileHalted(
  { db }: Pick<AdminDeps, 'db'>,
  isStored: () => Promise<boolean> = async () => false,
): Promise<void> {
  if ((await readHalt(db)) === null || (await isStored())) return;
  throw new Problem(
    'halted',
    'All sending is halted, so this request was not accepted. Repeat it once the halt is lifted.',
  );
}

const common = { tags: ['service'], response: { 200: HaltOut } };

/**
 * `POST`, `GET` and `DELETE /halt`: the switch that stops all sending of the installation. It affects everything, so it needs a
 * key without scopes.
 */
export function haltRoutes(app: TypedApp, { db, clock, logger }: AdminDeps): void {
  app.post(
    '/halt',
    call('admin', 'whole', {
      ...common,
      operationId: 'haltSending',
      summary:
        'Halts all sending: after the response, nothing is debited, captured or refunded until the halt is lifted',
      description:
        'Requests already sent to the payment service are followed to their end; pause, cancel, release and consent checks still work. If sending is already halted, the response shows the existing halt with its reason.',
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
    call('admin', 'whole', { ...common, operationId: 'getHalt', summary: 'Returns whether all sending is halted' }),
    async () => viewHalt(await readHalt(db)),
  );
  app.delete(
    '/halt',
    call('admin', 'whole', {
      ...common,
      operationId: 'liftHalt',
      summary: 'Lifts the halt: cycles still within their window are sent within a minute',
      description:
        'A halt because of a restored ledger can be lifted only once everything has been compared with the payment service since the restore, and no difference waits for an operator; until then, the response is 409 and says what is missing.',
      querystring: LiftQuery,
      body: ReasonBody,
    }),
    async (request) => {
      const by = actorOfCaller(callerOf(request));
      const reason = reasonOf(request) ?? null;
      const restored = await acceptRestored(db, { ...by, at: clock.now() });
      if (restored.kind === 'still_halted')
        throw stateConflict(`Sending remains halted because the ledger was restored: ${restored.why}.`);
      const lifted = await liftHalt(db, { ...by, at: clock.now(), reason });
      if (lifted !== null) logger.warn({ ...by }, 'the halt is lifted');
      return viewHalt(null);
    },
  );
}

function viewHalt(halt: Halt | null): HaltOut {
  return halt === null ? { halted: false } : { halted: true, ...halt };
}

/** The halt is in effect, but a send that started before it may still be committed. */
function notSettled(): Problem {
  const detail =
    'The halt is in effect, and no new send starts. A send that started before has not ended yet; repeat the request until it returns 200.';
  return new Problem('not_ready', detail, {}, { 'retry-after': '5' });
}
