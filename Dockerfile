# One image for web, scheduler and worker; docker-compose.yml says which one it is.

FROM node:22-slim AS page
WORKDIR /build/frontend
COPY frontend/package.json frontend/package-lock.json frontend/.npmrc ./
RUN npm ci
COPY frontend/ ./
RUN npm run build

FROM python:3.13-slim AS packages
COPY requirements.txt ./
RUN python -m venv /venv && /venv/bin/pip install --no-cache-dir --require-hashes --requirement requirements.txt

FROM python:3.13-slim
RUN useradd --create-home playground && install --directory --owner playground --mode 700 /data
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    PLAYGROUND_DATA=/data OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
COPY --from=packages /venv /venv
WORKDIR /app
COPY manage.py ./
COPY scheduler_core/ scheduler_core/
COPY playground/ playground/
COPY requirements.txt ./
COPY --from=page /build/frontend/dist frontend/dist
USER playground
VOLUME /data
EXPOSE 8000
# The sizes are for snapshots of large clusters: see SNAPSHOT_SIZES in playground/supervisor/stack.py.
CMD ["daphne", "--bind", "0.0.0.0", "--port", "8000", "--verbosity", "0", "--websocket-max-message-size", "67108864", "--websocket-max-frame-size", "67108864", "playground.config.asgi:application"]
