import type { FastifyContextConfig, FastifySchema } from 'fastify';
import type { Role } from '../ledger';
import { FAULT_ANSWERS } from './http/problems';
import type { NeededScope } from './keys/powers';

/** What a call takes and answers, as the description has it. */
interface Described extends FastifySchema {
  readonly tags: readonly string[];
  readonly operationId: string;
  readonly summary: string;
  readonly response: Readonly<Record<number, unknown>>;
  /** What else holds for it than which key it needs. */
  readonly config?: Omit<FastifyContextConfig, 'role' | 'scope'>;
}

/** A call below /v1, as its route takes it: a key of this role and scope may make it. Faults are answered alike by all. */
export function call<const Call extends Described>(role: Role, scope: NeededScope, { config, ...schema }: Call) {
  return {
    config: { role, scope, ...config },
    schema: { ...schema, response: { ...schema.response, ...FAULT_ANSWERS } },
  };
}
