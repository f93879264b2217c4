import { z } from 'zod';
import { InstantOut } from './instants';
import { Reason } from './text';

export const LiftQuery = z.strictObject({ reason: Reason.optional() });

/** Whether all sending is halted; where it is, since when, by whom and why. */
export const HaltOut = z
  .object({
    halted: z.boolean(),
    since: InstantOut.optional(),
    by: z.string().optional().describe('The name of the API key'),
    reason: z.string().optional(),
  })
  .meta({ id: 'Halt' });

export type HaltOut = z.output<typeof HaltOut>;
