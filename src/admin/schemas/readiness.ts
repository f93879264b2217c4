import { z } from 'zod';

const Check = z.object({
  name: z.string(),
  status: z.enum(['ok', 'failed']),
  latencyMs: z.number().min(0),
  circuit: z.enum(['closed', 'open', 'half_open']).optional().describe('The circuit breaker before it'),
});

export const HealthOut = z.object({ status: z.literal('ok') });

export const ReadinessOut = z
  .object({
    status: z.literal('ready'),
    halted: z.boolean().optional().describe('Whether all sending is halted; left out where it cannot be read'),
    checks: z.array(Check),
  })
  .meta({ id: 'Readiness' });

export type Check = z.output<typeof Check>;
