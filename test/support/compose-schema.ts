/** The part of the Compose file format that docker-compose.yml uses: a name or a shape outside of it is a fault. */
const text = { type: 'string', minLength: 1 };
const texts = { type: 'array', items: text, minItems: 1 };
const duration = { type: 'string', pattern: '^\\d+(ms|s|m|h)$' };
const environment = { type: 'object', additionalProperties: { type: 'string' } };

const healthcheck = {
  type: 'object',
  required: ['test', 'interval', 'timeout', 'retries'],
  additionalProperties: false,
  properties: {
    test: { type: 'array', minItems: 2, items: text, prefixItems: [{ enum: ['CMD', 'CMD-SHELL'] }] },
    interval: duration,
    timeout: duration,
    start_period: duration,
    retries: { type: 'integer', minimum: 1 },
  },
};

const dependencies = {
  type: 'object',
  additionalProperties: {
    type: 'object',
    required: ['condition'],
    additionalProperties: false,
    properties: { condition: { enum: ['service_healthy', 'service_completed_successfully'] } },
  },
};

const service = {
  type: 'object',
  required: ['image', 'networks'],
  additionalProperties: false,
  properties: {
    image: { type: 'string', pattern: '^[a-z0-9./-]+:[\\w.-]+$' },
    build: {
      type: 'object',
      required: ['context', 'target'],
      additionalProperties: false,
      properties: { context: text, target: text },
    },
    init: { type: 'boolean' },
    read_only: { type: 'boolean' },
    tmpfs: texts,
    cap_drop: texts,
    security_opt: texts,
    networks: texts,
    restart: { type: 'string', pattern: '^(unless-stopped|on-failure:\\d+)$' },
    stop_grace_period: duration,
    command: texts,
    environment,
    ports: { type: 'array', items: { type: 'string', pattern: '^(\\d+\\.\\d+\\.\\d+\\.\\d+:)?\\d+:\\d+$' } },
    volumes: { type: 'array', items: { type: 'string', pattern: '^[a-z-]+:/[\\w/]+$' } },
    configs: {
      type: 'array',
      items: {
        type: 'object',
        required: ['source', 'target'],
        additionalProperties: false,
        properties: { source: text, target: { type: 'string', pattern: '^/' } },
      },
    },
    depends_on: dependencies,
    healthcheck,
  },
};

export const composeSchema = {
  type: 'object',
  required: ['name', 'services'],
  additionalProperties: false,
  patternProperties: { '^x-': {} },
  properties: {
    name: { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]*$' },
    services: { type: 'object', additionalProperties: service, minProperties: 1 },
    networks: { type: 'object', additionalProperties: { type: 'null' } },
    volumes: { type: 'object', additionalProperties: { type: 'null' } },
    configs: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        required: ['content'],
        additionalProperties: false,
        properties: { content: text },
      },
    },
  },
};
