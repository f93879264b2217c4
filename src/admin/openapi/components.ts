import { z } from 'zod';

/** A schema as it appears in the API description: JSON Schema 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const COMPONENTS = '#/components/schemas/';
const DEFINITIONS = '#/$defs/';

/** The largest 32-bit integer, which fits a client's `int` without a format. */
const INT32_MAX = 2_147_483_647;

/**
 * The named schemas of a description: only those that its operations refer to. Requests and encoded responses are both the
 * input of a zod schema, so each name has one form.
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
    for (const [name, definition] of Object.entries($defs)) this.add(name, toComponentReferences(definition));
    return toComponentReferences(properties?.['schema']);
  }

  /** Sorted by name, because modules are loaded in any order. */
  all(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries([...this.schemas].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }

  private add(name: string, { id: _, ...schema }: JsonSchema): void {
    const known = this.schemas.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`two different schemas of the API are named ${name}`);
    this.schemas.set(name, schema);
  }

  /** Adds what zod leaves out of the JSON Schema. */
  private complete(schema: z.core.$ZodTypes, json: z.core.JSONSchema.BaseSchema): void {
    if (json.type === 'integer' && (json.maximum ?? Number.MAX_SAFE_INTEGER) > INT32_MAX) json.format = 'int64';
    // Generators that do not know `const` understand an `enum` of one value.
    if (json.const !== undefined) {
      if (Number.isSafeInteger(json.const)) json.type = 'integer';
      json.enum = [json.const];
      delete json.const;
    }
    if (json.properties !== undefined) useUnevaluatedProperties(json);
    if (schema instanceof z.ZodDiscriminatedUnion) json['discriminator'] = discriminatorOf(schema);
    if (json['contentSchema'] instanceof z.ZodType) json['contentSchema'] = this.describe(json['contentSchema']);
    if (json['describedAs'] instanceof z.ZodType) this.replace(json, json['describedAs']);
  }

  /** Describes the form of another schema instead, as requested by `meta({ describedAs })`. */
  private replace(json: z.core.JSONSchema.BaseSchema, other: z.ZodType): void {
    const { description } = json;
    for (const key of Object.keys(json)) Reflect.deleteProperty(json, key);
    Object.assign(json, this.describe(other), description === undefined ? {} : { description });
  }
}

/**
 * Uses `unevaluatedProperties` to exclude other fields. If a schema has `additionalProperties`, with any value,
 * openapi-generator turns its Java class into a map and sends none of its fields.
 */
function useUnevaluatedProperties(json: z.core.JSONSchema.BaseSchema): void {
  if (json.additionalProperties === false) json['unevaluatedProperties'] = false;
  delete json.additionalProperties;
}

/** Maps values of the discriminating field to named schemas; undefined if the schemas have no names. */
function discriminatorOf({ def, options }: z.ZodDiscriminatedUnion): JsonSchema | undefined {
  const { discriminator: propertyName } = def;
  const mapping = options.flatMap((option) => {
    const id = z.globalRegistry.get(option)?.id;
    const values = [...(option._zod.propValues?.[propertyName] ?? [])];
    return id === undefined ? [] : values.map((value) => [String(value), `${COMPONENTS}${id}`] as const);
  });
  return mapping.length === 0 ? undefined : { propertyName, mapping: Object.fromEntries(mapping) };
}

/** The same schema, with references to definitions replaced by references to components. */
function toComponentReferences(schema: unknown): JsonSchema {
  const rewrite = (key: string, value: unknown): unknown =>
    key === '$ref' && typeof value === 'string' ? value.replace(DEFINITIONS, COMPONENTS) : value;
  return JSON.parse(JSON.stringify(schema), rewrite) as JsonSchema;
}
