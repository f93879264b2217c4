import { z } from 'zod';
import { InstantIn } from './instants';
import { MoneyIn } from './money';
import { ProblemOut } from './problem';
import { CreateSubscription } from './subscription-request';
import { PaymentIdText } from './text';

/** One line of `POST /v1/subscriptions/import`. What its fields must be to each other is in import-rules. */
export const ImportLine = CreateSubscription.omit({ returnURL: true })
  .extend({
    paymentId: PaymentIdText,
    consentAmount: MoneyIn.optional(),
    lastIncreaseAt: InstantIn.optional(),
    collectFrom: InstantIn.optional(),
  })
  .meta({ id: 'ImportLine', description: 'One line of the file: a mandate granted elsewhere' });

export type ImportLine = z.output<typeof ImportLine>;

const Line = z.int().min(1).meta({ description: 'Counted from 1; blank lines count' });

/** One line of the answer, in the order of the lines that it answers. */
export const ImportAnswer = z
  .union([
    z.object({ line: Line, subscriptionId: z.string(), warnings: z.array(z.string()).optional() }),
    z.object({ line: Line, problem: ProblemOut }),
  ])
  .meta({ id: 'ImportAnswer', description: 'What became of one line' });

export type ImportAnswer = z.output<typeof ImportAnswer>;
