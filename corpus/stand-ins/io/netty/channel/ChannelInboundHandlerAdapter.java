package io.netty.channel;

/** Stands in for the class of this name. */
public class ChannelInboundHandlerAdapter implements ChannelHandler {
    public void channelRead(ChannelHandlerContext context, Object message) {
    }
}
