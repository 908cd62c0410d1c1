# syntax=docker/dockerfile:1

# Installs, builds and keeps what the product needs at run time.
FROM node:24-bookworm-slim AS build
WORKDIR /srv/leadloom
COPY package.json package-lock.json .npmrc ./
COPY client/package.json client/
RUN npm ci
COPY . .
ARG VITE_QR_IMAGE_SERVICE
RUN npm run build
RUN npm ci --omit=dev
# The pinned Node comes with the dependencies; TypeScript, source maps and type declarations are not used at run time.
RUN mkdir -p /out/bin && cp node_modules/node-linux-*/bin/node /out/bin/node
RUN rm -rf node_modules/node-linux-* node_modules/typescript node_modules/@typescript node_modules/.bin node_modules/leadloom-client
RUN find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete
RUN mkdir -p /out/app && cp --parents locales/*/server.po /out/app/ && cp -r package.json node_modules dist domain server sandbox supabase scripts LICENSE /out/app/

FROM debian:12-slim
RUN useradd --system --uid 10001 --home-dir /data leadloom \
 && install -d -o leadloom -g leadloom -m 700 /data /secrets
COPY --from=build /out/bin/node /usr/local/bin/node
COPY --from=build /out/app /srv/leadloom
WORKDIR /srv/leadloom
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 LEADLOOM_DATA=/data
USER leadloom
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--disable-warning=ExperimentalWarning", "server/main.ts"]
