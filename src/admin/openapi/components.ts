import { z } from 'zod';

/** A schema as the description has it: JSON Schema 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const COMPONENTS = '#/components/schemas/';
const DEFINITIONS = '#/$defs/';

/** The largest 32-bit integer, which a client's `int` holds without a format. */
const INT32_MAX = 2_147_483_647;

/**
 * The named schemas of a description: those that its operations refer to, and no others. What a request sends and what an
 * answer encodes are both the input of a zod schema, so each name has one form.
 */
export class Components {
  private readonly schemas = new Map<string, JsonSchema>();

  /** The schema, or a reference to it if it has a name. @throws Error if two schemas of different forms have one name */
  describe(schema: z.ZodType): JsonSchema {
    const { properties, $defs = {} } = z.toJSONSchema(z.object({ schema }), {
      io: 'input',
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => this.complete(zodSchema, jsonSchema),
    });
    for (const [name, definition] of Object.entries($defs)) this.add(name, referring(definition));
    return referring(properties?.['schema']);
  }

  /** By name, in the order of the names: modules are loaded in any order. */
  all(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries([...this.schemas].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }

  private add(name: string, { id: _, ...schema }: JsonSchema): void {
    const known = this.schemas.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`two schemas of the API are named ${name}`);
    this.schemas.set(name, schema);
  }

  /** Adds what zod leaves out of the JSON Schema. */
  private complete(schema: z.core.$ZodTypes, json: z.core.JSONSchema.BaseSchema): void {
    if (json.type === 'integer' && (json.maximum ?? Number.MAX_SAFE_INTEGER) > INT32_MAX) json.format = 'int64';
    // Generators read an `enum` of one value where they do not know `const`.
    if (json.const !== undefined) {
      if (Number.isSafeInteger(json.const)) json.type = 'integer';
      json.enum = [json.const];
      delete json.const;
    }
    if (json.properties !== undefined) closeByOtherKeyword(json);
    if (schema instanceof z.ZodDiscriminatedUnion) json['discriminator'] = discriminatorOf(schema);
    if (json['contentSchema'] instanceof z.ZodType) json['contentSchema'] = this.describe(json['contentSchema']);
    if (json['describedAs'] instanceof z.ZodType) this.replace(json, json['describedAs']);
  }

  /** Has the form of another schema described, as `meta({ describedAs })` asks for. */
  private replace(json: z.core.JSONSchema.BaseSchema, other: z.ZodType): void {
    const { description } = json;
    for (const key of Object.keys(json)) Reflect.deleteProperty(json, key);
    Object.assign(json, this.describe(other), description === undefined ? {} : { description });
  }
}

/**
 * Says with `unevaluatedProperties` that an object has no other fields. openapi-generator makes a map of every Java class
 * whose schema has `additionalProperties`, whatever it says, and sends none of its fields.
 */
function closeByOtherKeyword(json: z.core.JSONSchema.BaseSchema): void {
  if (json.additionalProperties === false) json['unevaluatedProperties'] = false;
  delete json.additionalProperties;
}

/** Which of its named forms a value has, by the field that says so; undefined if the forms have no names. */
function discriminatorOf({ def, options }: z.ZodDiscriminatedUnion): JsonSchema | undefined {
  const { discriminator: propertyName } = def;
  const mapping = options.flatMap((option) => {
    const id = z.globalRegistry.get(option)?.id;
    const values = [...(option._zod.propValues?.[propertyName] ?? [])];
    return id === undefined ? [] : values.map((value) => [String(value), `${COMPONENTS}${id}`] as const);
  });
  return mapping.length === 0 ? undefined : { propertyName, mapping: Object.fromEntries(mapping) };
}

/** The same with its references to definitions as references to components. */
function referring(schema: unknown): JsonSchema {
  const point = (key: string, value: unknown): unknown =>
    key === '$ref' && typeof value === 'string' ? value.replace(DEFINITIONS, COMPONENTS) : value;
  return JSON.parse(JSON.stringify(schema), point) as JsonSchema;
}
