import { z } from 'zod';
import { PROBLEM_TYPE, PROBLEMS, type ProblemCode } from '../problems';

export const ProblemOut = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Problem', description: 'RFC 9457 problem details' });

/** The answers of every call under /v1 that are not its own. */
export const FAULT_ANSWERS = {
  '4xx': { description: 'Refused; `code` says why', content: { [PROBLEM_TYPE]: { schema: ProblemOut } } },
  '5xx': { description: 'Not done, or not known to be', content: { [PROBLEM_TYPE]: { schema: ProblemOut } } },
};
