#!/usr/bin/env node
// Plays the server's side of a recorded session: answers requests by their method, and says the rest after `initialized`.
const fs = require('node:fs');
const session = JSON.parse(fs.readFileSync(process.env.SELVEDGE_SESSION, 'utf8'));
let input = Buffer.alloc(0);

function say(message) {
    const text = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    process.stdout.write(`Content-Length: ${text.length}\r\n\r\n`);
    process.stdout.write(text);
}

function hear(message) {
    fs.appendFileSync(process.env.SELVEDGE_HEARD, `${JSON.stringify(message)}\n`);
    if (message.method === 'exit') {
        process.exit(0);
    } else if (message.method === 'initialized') {
        session.notifications.forEach(say);
    } else if (message.id !== undefined && message.method !== undefined) {
        say({ id: message.id, result: session.answers[message.method] ?? null });
    }
}

process.stdin.on('data', (bytes) => {
    input = Buffer.concat([input, bytes]);
    for (;;) {
        const end = input.indexOf('\r\n\r\n');
        const length = Number(/Content-Length: (\d+)/.exec(input.subarray(0, Math.max(end, 0)).toString())?.[1]);
        if (end < 0 || input.length < end + 4 + length) {
            return;
        }
        const message = JSON.parse(input.subarray(end + 4, end + 4 + length).toString());
        input = input.subarray(end + 4 + length);
        hear(message);
    }
});
