package io.netty.channel;

/** Stands in for the interface of this name. */
public interface ChannelHandlerContext {
    void write(Object message);
}
