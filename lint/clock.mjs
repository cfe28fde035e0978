const message =
  "Inject `Clock` from '#libs/runtime', so that tests can set the time. To measure a duration, use performance.now().";

const isDate = (node) => node.type === 'Identifier' && node.name === 'Date';

/** Rule: code gets the current time from `Clock`. `.oxlintrc.jsonc` says to which files the rule applies. */
const injected = {
  meta: { type: 'problem', schema: [] },
  create: (context) => ({
    NewExpression(node) {
      if (isDate(node.callee) && node.arguments.length === 0) context.report({ node, message });
    },
    CallExpression(node) {
      const { callee } = node;
      const isNow =
        callee.type === 'MemberExpression' && isDate(callee.object) && callee.property.name === 'now';
      if (isNow || isDate(callee)) context.report({ node, message });
    },
  }),
};

export default { meta: { name: 'clock' }, rules: { injected } };
