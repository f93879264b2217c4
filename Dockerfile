# The first stage compiles. The other stages have no base image: deploy/image.cjs copies Node, the libraries that it links
# against, the certificate authorities that it trusts, and what the commands load. So they contain neither a shell nor a package
# manager. `docker build .` builds the production image; the target `simulator` is the payment service's simulator for
# docker-compose.yml.
FROM node:24.11.1-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig*.json ./
COPY bin bin
COPY src src
COPY activities activities
COPY workflows workflows
COPY docs docs
COPY deploy/image.cjs deploy/
RUN npm run build \
 && npm run docs \
 && node deploy/image.cjs /production \
 && node deploy/image.cjs /simulator sandbox

FROM scratch AS simulator
ENV NODE_ENV=production PATH=/usr/local/bin
WORKDIR /app
COPY --from=build /simulator /
USER 1000:1000
EXPOSE 7780
ENTRYPOINT ["node", "/app/bin/dueday.js"]
CMD ["sandbox"]

FROM scratch AS production
ENV NODE_ENV=production PATH=/usr/local/bin
WORKDIR /app
COPY --from=build /production /
# A user without privileges, who owns none of the program's files.
USER 1000:1000
EXPOSE 8080
# Checks whichever runs: the admin API; a worker alone, which listens only for its probes and metrics; or the codec server.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=6 \
  CMD ["node", "-e", "const { ADMIN_PORT = 8080, METRICS_PORT = 9464, CODEC_SERVER_PORT = 8081 } = process.env; const ask = async port => { if (!(await fetch(`http://127.0.0.1:${port}/healthz`)).ok) throw port }; Promise.any([ADMIN_PORT, METRICS_PORT, CODEC_SERVER_PORT].map(ask)).then(() => process.exit(0), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/bin/dueday.js"]
CMD ["daemon"]
