import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { MINUTE, toIso } from '../../domain/time';
import { UNKNOWN_CALLER } from '../../domain/audit/access';
import type { Actor } from '../../domain/audit/event';
import { workRepeatedly } from '../../jobs/repeated-work';
import { inTransaction, insertEvent } from '../../ledger';
import { loggable } from '../../platform/log';
import type { AdminDeps } from '../dependencies';
import { actorOfCaller, addressOf } from '../http/caller';
import { Problem, type ProblemCode } from '../http/problems';

/** 401, 403 and 429. */
const REFUSALS: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'unauthenticated',
  'forbidden',
  'limit_exceeded',
  'csrf_failed',
  'rate_limited',
]);

/**
 * Maximum number of kinds of refusal (code, key and address) counted separately per minute, so that a flood cannot fill
 * the ledger.
 */
const MAX_SEPARATE = 100;

/**
 * Refusals with the same code, key and address within a minute. Those beyond {@link MAX_SEPARATE} are one count for each code:
 * `actor` is {@link UNKNOWN_CALLER}, `keyId` and `address` are null.
 */
export interface RefusedAccess extends Actor {
  readonly code: ProblemCode;
  readonly address: string | null;
  /** Method and route of the first refusal; not the path, which contains ids. */
  readonly route: string;
  readonly count: number;
  /** Real time. */
  readonly firstAt: number;
  readonly lastAt: number;
}

type Refusal = Pick<RefusedAccess, 'actor' | 'keyId' | 'code' | 'address' | 'route'>;

/** Counts refusals until they are taken. */
export class RefusedCounts {
  private counts = new Map<string, RefusedAccess>();

  /** @returns whether it is the first of its kind since the last `take` */
  add(refusal: Refusal, realNow: number): boolean {
    const isSeparate = this.counts.has(keyOf(refusal)) || this.counts.size < MAX_SEPARATE;
    const counted: Refusal = isSeparate ? refusal : { ...refusal, actor: UNKNOWN_CALLER, keyId: null, address: null };
    const before = this.counts.get(keyOf(counted));
    const { count, firstAt, route } = before ?? { count: 0, firstAt: realNow, route: counted.route };
    this.counts.set(keyOf(counted), { ...counted, route, count: count + 1, firstAt, lastAt: realNow });
    return before === undefined;
  }

  /** Returns all counts and resets them. */
  take(): readonly RefusedAccess[] {
    const taken = [...this.counts.values()];
    this.counts = new Map();
    return taken;
  }
}

function keyOf({ code, address, actor, keyId }: Refusal): string {
  return JSON.stringify([code, address, actor, keyId]);
}

/**
 * Records refused access in the log at once and in the audit log once a minute, with the number of refusals: a flood costs
 * one entry per minute for each code, key and address, and little more than {@link MAX_SEPARATE} in total.
 */
export function recordRefusedAccess(app: FastifyInstance, deps: AdminDeps): void {
  const counts = new RefusedCounts();
  app.addHook('onError', async (request, _reply, error) => {
    if (!(error instanceof Problem) || !REFUSALS.has(error.code)) return;
    const refusal = refusalOf(request, error.code);
    if (counts.add(refusal, deps.clock.realNow())) {
      request.log.warn({ security: 'access.refused', ...refusal }, 'security event');
    }
  });
  const write = () => writeRefused(deps, counts.take(), app.log);
  workRepeatedly(app, MINUTE, write);
  app.addHook('onClose', write);
}

function refusalOf(request: FastifyRequest, code: ProblemCode): Refusal {
  const by = request.caller === null ? { actor: UNKNOWN_CALLER, keyId: null } : actorOfCaller(request.caller);
  const route = `${request.method} ${request.routeOptions.url ?? 'no route'}`;
  return { ...by, code, address: addressOf(request), route };
}

/** Writes the counts to the audit log; if that fails, they are logged. */
async function writeRefused(
  { db, clock }: Pick<AdminDeps, 'db' | 'clock'>,
  refused: readonly RefusedAccess[],
  log: FastifyBaseLogger,
): Promise<void> {
  if (refused.length === 0) return;
  try {
    await inTransaction(db, async (tx) => {
      for (const { actor, keyId, firstAt, lastAt, ...data } of refused) {
        const period = { firstAt: toIso(firstAt), lastAt: toIso(lastAt) };
        const entry = { subscriptionId: null, at: clock.now(), actor, keyId, type: 'access.refused' } as const;
        await insertEvent(tx, { ...entry, data: { ...data, ...period } });
      }
    });
  } catch (error) {
    log.warn(
      { err: loggable(error), security: 'access.refused', refused },
      'refused access could not be written to the audit log',
    );
  }
}
