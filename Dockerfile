FROM node:24-slim
ENV NODE_ENV=production \
    BULWARK_ENVIRONMENT=production \
    BULWARK_HOST=0.0.0.0 \
    BULWARK_DATA_DIR=/var/lib/bulwark \
    MALLOC_ARENA_MAX=2
WORKDIR /opt/bulwark
COPY package.json package-lock.json .npmrc ./
COPY dashboard/packages dashboard/packages
# Video moderation decodes with ffmpeg, confined by bubblewrap where the container may.
RUN apt-get update && apt-get install -y --no-install-recommends ffmpeg bubblewrap && rm -rf /var/lib/apt/lists/*
# No install scripts: the only required one installs Node, which the image already has.
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force
COPY . .
RUN node tools/build-dashboard.ts
RUN mkdir -p "$BULWARK_DATA_DIR" && chown node:node "$BULWARK_DATA_DIR"
USER node
VOLUME /var/lib/bulwark
# Dashboard, policy guard (HTTP, gRPC), action guard, agent gateway, shadow AI.
EXPOSE 22100 8100 50051 8200 8300 8400 8500 8600 50052 1935 8700 38085 8091
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "bin/health-check.mjs"]
ENTRYPOINT ["node", "--liftoff-only", "src/cli/bulwark.ts"]
CMD ["up"]
