#!/bin/sh
# Starts Postgres. If the volume is empty, creates the cluster first, and runs the scripts in /docker-entrypoint-initdb.d on a server that listens
# on no network.
set -eu
export POSTGRES_USER=postgres PATH="/usr/lib/postgresql/18/bin:$PATH" PGHOST=/tmp
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  printf %s "$POSTGRES_PASSWORD" > /tmp/password
  initdb --username=postgres --pwfile=/tmp/password --encoding=UTF8 --locale-provider=builtin --builtin-locale=C.UTF-8 --locale=C \
    --auth-local=trust --auth-host=scram-sha-256 > /tmp/initdb.log || { cat /tmp/initdb.log; exit 1; }
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  pg_ctl -w start -o "-c listen_addresses='' -c unix_socket_directories=/tmp" > /dev/null
  for script in /docker-entrypoint-initdb.d/*.sh; do sh "$script"; done
  pg_ctl -w -m fast stop > /dev/null
fi
exec postgres -c listen_addresses='*' -c unix_socket_directories=/tmp
