import { z } from 'zod';

const Check = z.object({ name: z.string(), status: z.enum(['ok', 'failed']), latencyMs: z.number().min(0) });

export const HealthOut = z.object({ status: z.literal('ok') });

export const ReadinessOut = z.object({ status: z.literal('ready'), checks: z.array(Check) }).meta({ id: 'Readiness' });

export type Check = z.output<typeof Check>;
