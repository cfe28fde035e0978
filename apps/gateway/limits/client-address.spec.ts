import type { Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { clientAddress } from './client-address.js';

test.each([
  ['198.51.100.7', '198.51.100.7'],
  ['198.51.100.7:50123', '198.51.100.7'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['::ffff:198.51.100.7', '198.51.100.7'],
  ['unknown', '10.0.0.1'],
  ['', '10.0.0.1'],
  ['198.51.100.7.evil', '10.0.0.1'],
  ['198.51.100.777', '10.0.0.1'],
  ['<script>', '10.0.0.1'],
  ['198.51.100.7\n', '10.0.0.1'],
])('over a connection from 10.0.0.1, the client address %j is read as %s', (ip, address) => {
  expect(clientAddress({ ip, socket: { remoteAddress: '10.0.0.1' } as Socket })).toBe(address);
});
