// Sine tables of struct members: balls that move on curves.
.struct Ball { x, y, dx, dy, phase, colour }
.const FRAMES = 256
.const BALLS = 12
.var balls = List()
.for (var b=0; b<BALLS; b++) {
    .eval balls.add(Ball(10*b, 7*b, 1 + mod(b,3), 2 - mod(b,2), b*21, mod(b,16)))
}
.function wave(ball, t, amplitude) {
    .return amplitude + amplitude*sin(toRadians((t + ball.phase)*360/FRAMES))
}
.var xs = List()
.var ys = List()
.for (var t=0; t<FRAMES; t++) {
    .for (var b=0; b<BALLS; b++) {
        .var ball = balls.get(b)
        .eval ball.x = ball.x + ball.dx
        .eval ball.y = ball.y + ball.dy
        .if (ball.x > 300 || ball.x < 0) .eval ball.dx = -ball.dx
        .if (ball.y > 180 || ball.y < 0) .eval ball.dy = -ball.dy
        .eval xs.add(round(wave(ball, t, 60) + ball.x/2))
        .eval ys.add(round(wave(ball, t*2, 40) + ball.y/2))
    }
}
*=$2000
xlow: .fill xs.size(), <xs.get(i)
xhigh: .fill xs.size(), >xs.get(i)
ylow: .fill ys.size(), <ys.get(i)
colours: .for (var b=0; b<BALLS; b++) { .byte balls.get(b).colour }
