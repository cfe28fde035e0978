#!/bin/sh
# Writes the users with their passwords, which come from the environment, into memory, and starts Redis. Redis stores nothing on disk: all
# durable data is in Postgres. When its memory is full, Redis refuses writes, which are tried again. Evicting keys would lose whole streams.
set -eu
umask 077
eval "cat <<USERS
$(cat /etc/redis/users.acl)
USERS" > /run/redis/users.acl
exec redis-server --aclfile /run/redis/users.acl --save '' --appendonly no \
  --maxmemory "$REDIS_MAXMEMORY" --maxmemory-policy noeviction --dir /run/redis
