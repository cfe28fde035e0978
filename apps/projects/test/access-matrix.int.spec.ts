import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type Actor,
  briefOperations,
  type Contract,
  type ErrorCode,
  type Operation,
  projectFileContract,
  projectFileOperations,
  projectOperations,
  projectTemplateOperations,
  reportOperations,
  staffBriefOperations,
  staffProjectOperations,
  staffThreadOperations,
  teamOperations,
  threadOperations,
} from '#libs/contracts';
import { actors } from '#libs/testing';
import { FileUploads } from './files.harness.js';
import { adminNamed, customerNamed, type ProjectsUnderTest, startProjects } from './projects.harness.js';

/*
 * Tests who may make which call about which project. A new call is tested as soon as it is declared in one of the `groups`. If it needs a body, its
 * test fails until there is a sample. `apps/gateway/test/project-access.int.spec.ts` tests what the gateway handles itself (bytes of files, streams).
 */

let projects: ProjectsUnderTest;
beforeAll(async () => {
  projects = await startProjects();
});
afterAll(() => projects?.stop());

type Call = Operation & Contract;

const groups = {
  ...{
    projectOperations,
    briefOperations,
    threadOperations,
    reportOperations,
    projectFileOperations,
    teamOperations,
  },
  ...{ staffProjectOperations, staffBriefOperations, staffThreadOperations, projectTemplateOperations },
};
const calls = Object.values(groups)
  .flatMap((group): [string, Operation][] => Object.entries(group))
  .filter((entry): entry is [string, Call] => entry[1].relay !== undefined);
const callsThat = (match: (call: Call) => boolean) => calls.filter(([, call]) => match(call));
const customerCalls = callsThat(({ path }) => path.startsWith('/project/:id'));
const staffCalls = callsThat(({ path }) => path.startsWith('/staff-project/:id'));
const otherStaffCalls = callsThat(
  ({ policy, path }) => policy.access === 'admin' && !path.startsWith('/staff-project/:id'),
);
const fileCalls = callsThat(({ path }) => path.startsWith('/project-file/:id'));
const teamCalls = callsThat(({ path }) => path.startsWith('/team/') && path.includes(':id'));
const otherCustomerCalls = callsThat(
  ({ policy, path }) => policy.access === 'customer' && !path.startsWith('/project/:id'),
);

/** Bodies that pass the schema, by the name of the call. */
const bodies: Record<string, Record<string, unknown>> = {
  requestChanges: { reason: 'Shorter.' },
  saveBrief: { answers: {} },
  completeBrief: { answers: {} },
  postMessage: { text: 'Hello' },
  editMessage: { text: 'Hello' },
  markRead: { seq: 0 },
  createReportLink: { days: 1 },
  updateProject: { title: 'Audit' },
  setProjectState: { state: 'on_hold' },
  updateChecklist: { items: [] },
  deliver: { text: 'Done.' },
  postStaffMessage: { text: 'Hello' },
  postNote: { text: 'Careful' },
  editStaffMessage: { text: 'Hello' },
  editNote: { text: 'Careful' },
  markStaffRead: { seq: 0 },
  updateProjectTemplate: { questions: [] },
  updateProjectSettings: { remindAfterDays: null, remindBriefAfterDays: null },
  updateTeamName: { name: 'Ada' },
  createTeamInvitation: { email: 'new@example.com', name: 'New', role: 'member' },
  changeTeamRole: { role: 'billing' },
  acceptTeamInvitation: { token: 'x'.repeat(43) },
};

/** `allowed` if the caller has access, even if the state forbids the call. Other ids in the path are invented. */
async function outcome(name: string, call: Call, id: string, actor: Actor): Promise<ErrorCode | 'allowed'> {
  const others = [...call.path.matchAll(/:(\w+)/g)].map(([, one]) => [one!, randomUUID()]);
  const input = { ...Object.fromEntries(others), ...bodies[name], ...(call.path.includes(':id') && { id }) };
  if (call.paged) Object.assign(input, { page: 1, limit: 10 });
  try {
    await projects.client.call(call, input, { actor });
    return 'allowed';
  } catch (error) {
    const { code } = error as { code: ErrorCode };
    if (code === 'INVALID_INPUT') throw new Error(`${name} needs a sample body`, { cause: error });
    return code === 'INVALID_TRANSITION' ? 'allowed' : code;
  }
}

const owner = customerNamed('owner');
const people = {
  owner,
  member: customerNamed('member'),
  billing: customerNamed('billing'),
  'a former member': customerNamed('former'),
  'another customer': customerNamed('other'),
  'a visitor': actors.visitor,
  'assigned staff': adminNamed('assigned'),
  'staff that is not assigned': adminNamed('unassigned'),
} satisfies Record<string, Actor>;
type Who = keyof typeof people;

/** A delivered project of the owner, with a brief and one assigned admin. */
async function aProject(): Promise<string> {
  const id = await projects.put({
    accountId: owner.accountId,
    state: 'delivered',
    assignees: [people['assigned staff'].accountId],
  });
  await projects.giveBrief(id);
  return id;
}
beforeAll(async () => {
  await projects.join(owner.accountId, people.member);
  await projects.join(owner.accountId, people.billing, 'billing');
  await projects.join(owner.accountId, people['a former member']);
  await projects.sql.query('DELETE FROM team_members WHERE account_id = $1', [
    people['a former member'].accountId,
  ]);
});

/** Whether the path also has the id of something in the project. `outcome` invents that id, so the call is NOT_FOUND even with access. */
const hasSecondId = ({ path }: Call) => path.split(':').length > 2;

const expectedForCustomerCalls: Record<Who, ErrorCode | 'allowed'> = {
  owner: 'allowed',
  member: 'allowed',
  billing: 'NOT_FOUND',
  'a former member': 'NOT_FOUND',
  'another customer': 'NOT_FOUND',
  'a visitor': 'UNAUTHENTICATED',
  // Staff have calls of their own.
  'assigned staff': 'NOT_FOUND',
  'staff that is not assigned': 'NOT_FOUND',
};
const expectedForStaffCalls: Record<Who, ErrorCode | 'allowed'> = {
  owner: 'FORBIDDEN',
  member: 'FORBIDDEN',
  billing: 'FORBIDDEN',
  'a former member': 'FORBIDDEN',
  'another customer': 'FORBIDDEN',
  'a visitor': 'UNAUTHENTICATED',
  'assigned staff': 'allowed',
  'staff that is not assigned': 'allowed',
};
const everybody = Object.entries(people) as [Who, Actor][];

test('every call of these groups is tested below, except those for which a token grants access', () => {
  const covered = [customerCalls, staffCalls, otherStaffCalls, otherCustomerCalls]
    .flat()
    .map(([name]) => name);
  // `reports.int.spec.ts` and `team.int.spec.ts` test these.
  expect(calls.map(([name]) => name).filter((name) => !covered.includes(name))).toEqual([
    'readSharedReport',
    'readTeamInvitation',
  ]);
  // These are in `otherCustomerCalls`, but the tests below also make them about existing files, members and invitations.
  expect(fileCalls.map(([name]) => name)).toEqual(['deleteProjectFile']);
  expect(teamCalls.map(([name]) => name).sort()).toEqual(Object.keys(teamCases).sort());
  expect(customerCalls.length).toBeGreaterThan(10);
  expect(staffCalls.length).toBeGreaterThan(10);
});

describe('a call of the customer’s side', () => {
  test.each(customerCalls)('%s refuses everybody except the owner and members', async (name, call) => {
    const outcomes: Record<string, string> = {};
    const outcomesIfUnknown: Record<string, string> = {};
    for (const [who, actor] of everybody) {
      outcomes[who] = await outcome(name, call, await aProject(), actor);
      outcomesIfUnknown[who] = await outcome(name, call, randomUUID(), actor);
    }
    const allowed = hasSecondId(call) ? 'NOT_FOUND' : 'allowed';
    const expected = Object.entries(expectedForCustomerCalls).map(([who, code]) => [
      who,
      code === 'allowed' ? allowed : code,
    ]);
    expect(outcomes).toEqual(Object.fromEntries(expected));
    // A project that somebody may not see is refused like one that does not exist.
    const expectedIfUnknown = everybody.map(([who]) => [
      who,
      who === 'a visitor' ? 'UNAUTHENTICATED' : 'NOT_FOUND',
    ]);
    expect(outcomesIfUnknown).toEqual(Object.fromEntries(expectedIfUnknown));
  });
});

describe('a call of staff', () => {
  test.each(staffCalls)('%s refuses everybody except staff', async (name, call) => {
    const outcomes: Record<string, string> = {};
    const outcomesIfUnknown: Record<string, string> = {};
    for (const [who, actor] of everybody) {
      outcomes[who] = await outcome(name, call, await aProject(), actor);
      outcomesIfUnknown[who] = await outcome(name, call, randomUUID(), actor);
    }
    const allowed = hasSecondId(call) ? 'NOT_FOUND' : 'allowed';
    const expectedWith = (access: ErrorCode | 'allowed') =>
      Object.fromEntries(
        Object.entries(expectedForStaffCalls).map(([who, expected]) => [
          who,
          expected === 'allowed' ? access : expected,
        ]),
      );
    expect(outcomes).toEqual(expectedWith(allowed));
    expect(outcomesIfUnknown).toEqual(expectedWith('NOT_FOUND'));
  });

  // Whether these calls succeed for staff may depend on content, identity or a package, and is tested elsewhere.
  test.each(otherStaffCalls)('%s refuses everybody except staff', async (name, call) => {
    for (const [who, actor] of everybody) {
      const expected = expectedForStaffCalls[who];
      if (expected !== 'allowed')
        expect([who, await outcome(name, call, randomUUID(), actor)]).toEqual([who, expected]);
    }
  });
});

describe('a call of the customer’s side that names no project', () => {
  test.each(otherCustomerCalls)('%s needs a session', async (name, call) => {
    expect(await outcome(name, call, '', actors.visitor)).toBe('UNAUTHENTICATED');
  });

  test('lists and counts the owner’s projects for the owner and members, and for nobody else', async () => {
    const id = await aProject();
    const seen: Record<string, unknown> = {};
    for (const [who, actor] of everybody.filter(([, { role }]) => role !== 'visitor')) {
      const page = { page: 1, limit: 100 };
      const { items, total } = await projects.client.call(projectOperations.listProjects, page, { actor });
      const { projects: count, expected } = await projects.client.call(
        projectOperations.getProjectSummary,
        {},
        { actor },
      );
      seen[who] = [
        items.some(({ _id }) => _id === id),
        total > 0 && count === total && expected.length > 0,
        items.find(({ _id }) => _id === id)?.role,
      ];
    }
    const nothing = [false, false, undefined];
    expect(seen).toEqual({
      ...{ owner: [true, true, 'owner'], member: [true, true, 'member'] },
      ...{ billing: nothing, 'a former member': nothing, 'another customer': nothing },
      ...{ 'assigned staff': nothing, 'staff that is not assigned': nothing },
    });
  });
});

describe('a file', () => {
  let uploads: FileUploads;
  beforeAll(() => {
    uploads = new FileUploads(projects);
  });
  const bytes = Buffer.from('The text of a file');

  /** Makes a new file for each person. */
  async function outcomes(make: () => Promise<string>, call: Contract): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const [who, actor] of everybody) {
      const id = await make();
      found[who] = await projects.client.call(call, { id }, { actor }).then(
        () => 'allowed',
        ({ code }: { code: string }) => code,
      );
    }
    return found;
  }
  /** The outcomes if only these people have access. For others who are signed in, the file does not exist. */
  const onlyFor = (some: readonly Who[], access = 'allowed') =>
    Object.fromEntries(
      everybody.map(([who]) => [
        who,
        some.includes(who) ? access : who === 'a visitor' ? 'UNAUTHENTICATED' : 'NOT_FOUND',
      ]),
    );
  const everyoneWithAccess: Who[] = ['owner', 'member', 'assigned staff', 'staff that is not assigned'];
  const aSentFile = async (to: 'message' | 'note' = 'message') => {
    const staff = people['assigned staff'];
    const asStaff = to === 'note';
    const uploader = asStaff ? staff : people.member;
    const { _id } = await uploads.upload(uploader, await aProject(), bytes, { asStaff, hidden: asStaff });
    await uploads.attach([_id], to);
    return _id;
  };
  const anUpload = async (uploader: Actor, asStaff: boolean) => {
    const id = await uploads.begin(uploader, await aProject(), bytes.length, { asStaff });
    await uploads.store(id, bytes);
    return id;
  };
  const { getUpload, finishUpload, cancelUpload, getFile, deleteProjectFile } = projectFileContract;

  test('can be uploaded only on one’s own side, and only to a project that one can see', async () => {
    const begin = async (actor: Actor, projectId: string, asStaff: boolean) =>
      uploads.begin(actor, projectId, 1, { asStaff }).then(
        () => 'allowed',
        ({ code }: { code: string }) => code,
      );
    for (const [who, actor] of everybody) {
      expect([who, await begin(actor, await aProject(), false)]).toEqual([
        who,
        expectedForCustomerCalls[who],
      ]);
      expect([who, await begin(actor, await aProject(), true)]).toEqual([who, expectedForStaffCalls[who]]);
      const isVisitor = who === 'a visitor';
      expect([who, await begin(actor, randomUUID(), false)]).toEqual([
        who,
        isVisitor ? 'UNAUTHENTICATED' : 'NOT_FOUND',
      ]);
    }
  });

  test.each([
    ['getUpload', getUpload],
    ['finishUpload', finishUpload],
    ['cancelUpload', cancelUpload],
  ] as const)('that is being uploaded is for its uploader only: %s', async (_name, call) => {
    const member = () => anUpload(people.member, false);
    expect(await outcomes(member, call)).toEqual(onlyFor(['member']));
    const ofStaff = () => anUpload(people['assigned staff'], true);
    expect(await outcomes(ofStaff, call)).toEqual(onlyFor(['assigned staff']));
    // A file that was sent is no longer an upload.
    expect(await outcomes(() => aSentFile(), call)).toEqual(onlyFor([]));
    expect(await outcomes(async () => randomUUID(), call)).toEqual(onlyFor([]));
  });

  test('can be read by nobody before it is complete, only by its uploader before it is sent, then by both sides, or only by staff if in a note', async () => {
    const unsent = async () => (await uploads.upload(people.member, await aProject(), bytes))._id;
    expect(await outcomes(unsent, getFile)).toEqual(onlyFor(['member']));
    expect(await outcomes(() => anUpload(people.member, false), getFile)).toEqual(onlyFor([]));
    expect(await outcomes(() => aSentFile(), getFile)).toEqual(onlyFor(everyoneWithAccess));
    expect(await outcomes(() => aSentFile('note'), getFile)).toEqual(
      onlyFor(['assigned staff', 'staff that is not assigned']),
    );
    expect(await outcomes(async () => randomUUID(), getFile)).toEqual(onlyFor([]));
  });

  test('can be deleted only by the person who uploaded it, and only until it is sent', async () => {
    const unsent = async () => (await uploads.upload(people.member, await aProject(), bytes))._id;
    expect(await outcomes(unsent, deleteProjectFile)).toEqual(onlyFor(['member']));
    expect(await outcomes(() => aSentFile(), deleteProjectFile)).toEqual(
      onlyFor(everyoneWithAccess, 'INVALID_TRANSITION'),
    );
    expect(await outcomes(async () => randomUUID(), deleteProjectFile)).toEqual(onlyFor([]));
  });
});

/** For each call about a team: the id that it names, and who may make it. */
const teamCases: Record<string, { id: () => Promise<string>; by: Who }> = {
  deleteTeamInvitation: { id: () => anInvitation(), by: 'owner' },
  changeTeamRole: { id: async () => people['a former member'].accountId, by: 'owner' },
  removeFromTeam: { id: async () => people['a former member'].accountId, by: 'owner' },
  leaveTeam: { id: async () => owner.accountId, by: 'a former member' },
};

async function anInvitation(): Promise<string> {
  const id = randomUUID();
  await projects.sql.query(
    `INSERT INTO team_invitations (id, owner_id, email, name, role, token_hash, sent_at, expires_at)
     VALUES ($1, $2, $3, 'New', 'member', $4, now(), now() + interval '1 day')`,
    [id, owner.accountId, `${id}@example.com`, Buffer.from(id)],
  );
  return id;
}

describe('a call about somebody’s team', () => {
  /** In these tests, the former member is a member again. */
  beforeEach(() => projects.join(owner.accountId, people['a former member']));
  afterEach(() =>
    projects.sql.query('DELETE FROM team_members WHERE account_id = $1', [
      people['a former member'].accountId,
    ]),
  );

  test.each(teamCalls)('%s is allowed only to the owner, or to the member who leaves', async (name, call) => {
    const { id, by } = teamCases[name]!;
    const found: Record<string, string> = {};
    const expected: Record<string, string> = {};
    // The permitted person comes last, because their call may remove the member.
    for (const [who, actor] of everybody.toSorted(
      ([one], [other]) => Number(one === by) - Number(other === by),
    )) {
      // These colleagues are in the team, too, and may leave it.
      if (name === 'leaveTeam' && ['member', 'billing'].includes(who)) continue;
      found[who] = await outcome(name, call, await id(), actor);
      expected[who] = who === 'a visitor' ? 'UNAUTHENTICATED' : 'NOT_FOUND';
    }
    expect(found).toEqual({ ...expected, [by]: 'allowed' });
  });
});
