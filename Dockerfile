# The app in class mode, on the processor. docs/class.md lists the environment variables that configure it.
#   docker build -t transformer-explorer .
#   docker run -p 8501:8501 -v explorer-runs:/runs -e EXPLORER_ADMIN_TOKEN=... transformer-explorer

FROM python:3.12-slim

ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    OMP_NUM_THREADS=1 \
    OMP_WAIT_POLICY=passive \
    EXPLORER_PUBLIC=1 \
    EXPLORER_RUNS=/runs

RUN useradd --create-home --uid 10001 explorer && \
    mkdir /runs && \
    chown explorer /runs

WORKDIR /app

# Install before copying the sources, so that a change of the sources reuses this layer. TORCH_INDEX is tried first for
# torch: the default build brings gigabytes of GPU libraries, which the app does not use.
ARG TORCH_INDEX="https://download.pytorch.org/whl/cpu"
COPY requirements.txt constraints.txt ./
RUN if [ -n "$TORCH_INDEX" ]; then \
      pip install --constraint constraints.txt --no-deps --retries 0 --timeout 10 --index-url "$TORCH_INDEX" \
        "$(grep '^torch==' requirements.txt)" || \
      echo "$TORCH_INDEX is unreachable; installing the GPU build (2.7 GB to download, 5.5 GB on disk)."; \
    fi && \
    pip install --constraint constraints.txt -r requirements.txt

COPY LICENSE README.md streamlit_app.py ./
COPY .streamlit .streamlit
COPY checkpoints checkpoints
COPY core core
COPY explorer explorer
COPY pages pages

USER explorer
VOLUME /runs
EXPOSE 8501

# The image has no curl, so Python asks for the health.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]

# The server is the container's first process and receives its signals directly. Trainings end with the container; a
# visitor can resume them from their last checkpoint.
CMD ["python", "-m", "explorer.server.serve", "--server.port", "8501"]
