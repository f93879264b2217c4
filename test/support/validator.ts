import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

/** The id of the document with the named schemas, by which other schemas refer to them. */
const DESCRIPTION = 'description';

/** Returns what is wrong with a value by its schema; null if nothing is. */
export type Validator = (schema: object, value: unknown) => string | null;

/**
 * A validator for schemas of an OpenAPI description, which refer to its named ones; each is compiled once.
 * @param schemas the description's `components.schemas`
 */
export function createValidator(schemas: object): Validator {
  const ajv = addFormats(new Ajv2020({ strict: false, allErrors: true }));
  ajv.addSchema({ $id: DESCRIPTION, components: { schemas } });
  const compiled = new Map<object, ValidateFunction>();
  const compile = (schema: object): ValidateFunction => {
    const text = JSON.stringify(schema).replaceAll('"#/components/', `"${DESCRIPTION}#/components/`);
    const made = ajv.compile(JSON.parse(text) as object);
    compiled.set(schema, made);
    return made;
  };
  return (schema, value) => {
    const isOf = compiled.get(schema) ?? compile(schema);
    return isOf(value) ? null : ajv.errorsText(isOf.errors);
  };
}
