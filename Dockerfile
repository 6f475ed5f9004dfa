# An image with nothing but the executable: `docker run --rm -v "$PWD:/work:ro" portcullis check deploy/ crds/`
FROM node:22-slim AS build
WORKDIR /src
COPY .npmrc package.json package-lock.json tsconfig.base.json tsconfig.json ./
COPY bench/package.json bench/
COPY conformance/package.json conformance/
COPY tools tools
COPY packages packages
COPY examples/playground examples/playground
RUN npm run package-binary -- --out /out

FROM debian:12-slim
LABEL org.opencontainers.image.title="Portcullis" \
      org.opencontainers.image.description="Check Kubernetes manifests, CRDs and policies as the API server would" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /out/portcullis /usr/local/bin/portcullis
RUN ln -s portcullis /usr/local/bin/portcullis-kube-apiserver \
 && ln -s portcullis /usr/local/bin/kubectl-portcullis \
 && useradd --create-home --uid 1000 portcullis
WORKDIR /work
USER portcullis
# Unpacks the program, so that a container with a read-only file system starts as fast.
RUN portcullis --version
ENTRYPOINT ["portcullis"]
CMD ["--help"]
