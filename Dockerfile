FROM node:24-slim
ENV NODE_ENV=production BULWARK_HOST=0.0.0.0 BULWARK_DATA_DIR=/var/lib/bulwark
WORKDIR /opt/bulwark
COPY package.json package-lock.json .npmrc ./
RUN npm install --no-save --omit=dev --ignore-scripts && npm cache clean --force
COPY . .
RUN node tools/build-dashboard.ts
RUN mkdir -p "$BULWARK_DATA_DIR" && chown node:node "$BULWARK_DATA_DIR"
USER node
VOLUME /var/lib/bulwark
EXPOSE 22100 8100 8200
ENTRYPOINT ["node", "--liftoff-only", "src/cli/bulwark.ts"]
CMD ["up"]
