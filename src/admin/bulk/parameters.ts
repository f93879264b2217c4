import type { z } from 'zod';
import { invalidRequest } from '../http/problems';
import { faultsOf } from '../http/validation';

/**
 * The parameters of a bulk job as the body of the single call.
 * @throws Problem `invalid_request` if the single call would refuse them; so may those of a job that another release has stored
 */
export function parseParameters<Body extends z.ZodType>(body: Body, parameters: unknown): z.output<Body> {
  const read = body.safeParse(parameters);
  if (read.success) return read.data;
  const faults = faultsOf(read.error, parameters);
  throw invalidRequest(faults.map(({ path, message }) => ({ path: inParameters(path), message })));
}

/** The path of a field of the parameters in the body of the bulk call. */
export function inParameters(path: string): string {
  return path === '' ? 'parameters' : `parameters.${path}`;
}
