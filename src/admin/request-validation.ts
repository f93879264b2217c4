import type { FastifyInstance, FastifySchemaCompiler } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { invalidRequest, notFound, Problem, type Fault } from './problems';
import { faultsOf } from './validation-faults';

/** Requests are checked, and answers written, by the zod schemas of their routes. */
export function checkBySchemas(app: FastifyInstance): void {
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
}

/** Every fault of a part at once. A path that names nothing possible is simply not found. */
const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  return (data: unknown) => {
    const result = schema.safeParse(data);
    if (result.success) return { value: result.data };
    if (httpPart === 'params') return { error: notFound('Nothing has such an id.') };
    return { error: invalidRequest(faultsOf(result.error, data ?? undefined)) };
  };
};

/** The faults that a schema found, on a route that has more of its own to look for. */
export function schemaFaults(error: unknown): readonly Fault[] {
  if (error === undefined || error === null) return [];
  if (error instanceof Problem && error.code === 'invalid_request') return error.more['errors'] as readonly Fault[];
  throw error as Error;
}
