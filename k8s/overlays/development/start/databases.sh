#!/bin/sh
# Runs once, on an empty volume: creates a database and a role for each service. No role can connect to another service's database.
set -eu
for service in content orders projects messaging identity; do
  password=$(printenv "$(echo "$service" | tr '[:lower:]' '[:upper:]')_DB_PASSWORD")
  psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" -v role="$service" -v password="$password" <<'SQL'
CREATE ROLE :"role" LOGIN PASSWORD :'password';
CREATE DATABASE :"role" OWNER :"role" ENCODING 'UTF8' TEMPLATE template0;
REVOKE CONNECT ON DATABASE :"role" FROM PUBLIC;
SQL
done
